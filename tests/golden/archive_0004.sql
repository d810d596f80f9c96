BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0004');
CREATE TABLE changes (
	game_id VARCHAR(16) NOT NULL, 
	number INTEGER NOT NULL, 
	at DATETIME NOT NULL, 
	body TEXT NOT NULL, checksum VARCHAR(16) DEFAULT '' NOT NULL, 
	PRIMARY KEY (game_id, number), 
	FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "changes" VALUES('golden',1,'2026-11-21 06:19:20.361651','{"number":1,"kind":"enter","by":"person","index":0,"was":[],"now":[{"number":1,"event":"A roll 6 5 2","by":"person","confidence":null,"frame":null,"seconds":null,"corrects":null,"remarks":[]}],"doubts":[],"settles":[]}','69af8737d63ecda5');
INSERT INTO "changes" VALUES('golden',2,'2026-11-21 06:19:20.417024','{"number":2,"kind":"enter","by":"person","index":1,"was":[],"now":[{"number":2,"event":"A keep 5","by":"person","confidence":null,"frame":null,"seconds":null,"corrects":null,"remarks":[]}],"doubts":[],"settles":[]}','24610b21e1b45e7f');
INSERT INTO "changes" VALUES('golden',3,'2026-11-21 06:19:20.479570','{"number":3,"kind":"enter","by":"person","index":2,"was":[],"now":[{"number":3,"event":"A roll 6 1","by":"person","confidence":null,"frame":null,"seconds":null,"corrects":null,"remarks":[]}],"doubts":[],"settles":[]}','4feb88f29c6ec3e2');
INSERT INTO "changes" VALUES('golden',4,'2026-11-21 06:19:20.512987','{"number":4,"kind":"enter","by":"person","index":3,"was":[],"now":[{"number":4,"event":"A keep 6 1","by":"person","confidence":null,"frame":null,"seconds":null,"corrects":null,"remarks":[]}],"doubts":[],"settles":[]}','fb64eaf5921357e1');
INSERT INTO "changes" VALUES('golden',5,'2026-11-21 06:19:20.545199','{"number":5,"kind":"enter","by":"person","index":4,"was":[],"now":[{"number":5,"event":"B roll 4 4 1","by":"person","confidence":null,"frame":null,"seconds":null,"corrects":null,"remarks":[]}],"doubts":[],"settles":[]}','e7f2b65317faf764');
INSERT INTO "changes" VALUES('golden',6,'2026-11-21 06:19:20.573064','{"number":6,"kind":"enter","by":"person","index":5,"was":[],"now":[{"number":6,"event":"B keep 4 4","by":"person","confidence":null,"frame":null,"seconds":null,"corrects":null,"remarks":[]}],"doubts":[],"settles":[]}','f660ed968da6a45a');
INSERT INTO "changes" VALUES('golden',7,'2026-11-21 06:19:20.595815','{"number":7,"kind":"enter","by":"person","index":6,"was":[],"now":[{"number":7,"event":"B roll 2","by":"person","confidence":null,"frame":null,"seconds":null,"corrects":null,"remarks":[]}],"doubts":[],"settles":[]}','d12bf6ad99ab9f68');
INSERT INTO "changes" VALUES('golden',8,'2026-11-21 06:19:20.628052','{"number":8,"kind":"replace","by":"person","index":0,"was":[{"number":1,"event":"A roll 6 5 2","by":"person","confidence":null,"frame":null,"seconds":null,"corrects":null,"remarks":[]}],"now":[{"number":8,"event":"A roll 5 5 2","by":"person","confidence":null,"frame":null,"seconds":null,"corrects":"A roll 6 5 2","remarks":["was roll 6 5 2"]}],"doubts":[],"settles":[]}','d0f2a7f8dc190ed7');
INSERT INTO "changes" VALUES('golden',9,'2026-11-21 06:19:20.661183','{"number":9,"kind":"undo","by":"person","index":0,"was":[{"number":8,"event":"A roll 5 5 2","by":"person","confidence":null,"frame":null,"seconds":null,"corrects":"A roll 6 5 2","remarks":["was roll 6 5 2"]}],"now":[{"number":1,"event":"A roll 6 5 2","by":"person","confidence":null,"frame":null,"seconds":null,"corrects":null,"remarks":[]}],"doubts":[],"settles":[]}','991734d2107bc710');
INSERT INTO "changes" VALUES('golden',10,'2026-11-21 06:19:20.693227','{"number":10,"kind":"enter","by":"person","index":7,"was":[],"now":[{"number":9,"event":"B keep 2","by":"person","confidence":null,"frame":null,"seconds":null,"corrects":null,"remarks":[]}],"doubts":[],"settles":[]}','4cc785cc26468c23');
INSERT INTO "changes" VALUES('golden',11,'2026-11-21 06:19:20.723219','{"number":11,"kind":"undo","by":"person","index":7,"was":[{"number":9,"event":"B keep 2","by":"person","confidence":null,"frame":null,"seconds":null,"corrects":null,"remarks":[]}],"now":[],"doubts":[],"settles":[]}','63f8cb0ab6ab4bf7');
INSERT INTO "changes" VALUES('golden',12,'2026-11-21 06:19:20.744734','{"number":12,"kind":"redo","by":"person","index":7,"was":[],"now":[{"number":9,"event":"B keep 2","by":"person","confidence":null,"frame":null,"seconds":null,"corrects":null,"remarks":[]}],"doubts":[],"settles":[]}','cd0e8a7abf23b7b8');
CREATE TABLE facts (
	game_id VARCHAR(16) NOT NULL, 
	changes INTEGER NOT NULL, 
	told_by VARCHAR(16) NOT NULL, 
	body TEXT NOT NULL, checksum VARCHAR(16) DEFAULT '' NOT NULL, 
	PRIMARY KEY (game_id), 
	FOREIGN KEY(game_id) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "facts" VALUES('deckgm',0,'1bd9cfefd278405e','{"ruleset":"abacus2000","players":["Marc","Carl","Diane","Manu"],"events":8,"winner":null,"round":1,"to_move":"Carl","identity":"6de8e3c747105870b7c73cf398220cf6","seats":[{"thrown":[0,1,1,1,3,3],"cards":["castle-red","castle-black"],"luck":null,"cost":null},{"thrown":[0,0,0,0,0,0],"cards":["castle-blue"],"luck":null,"cost":null},{"thrown":[0,0,0,0,0,0],"cards":["castle-green"],"luck":null,"cost":null},{"thrown":[0,0,0,0,0,0],"cards":["castle-yellow"],"luck":null,"cost":null}]}','7142985b4970d1bc');
INSERT INTO "facts" VALUES('golden',12,'1bd9cfefd278405e','{"ruleset":"amigo2006","players":["Änne","Bert"],"events":8,"winner":null,"round":1,"to_move":"Bert","identity":"51db368d54ff6f9272e267c1471b891a","seats":[{"thrown":[1,1,0,0,1,2],"cards":[],"luck":null,"cost":null},{"thrown":[1,1,0,2,0,0],"cards":[],"luck":null,"cost":null}]}','ebdfb9bd7a426adc');
CREATE TABLE games (
	id VARCHAR(16) NOT NULL, 
	game VARCHAR(16) NOT NULL, 
	header TEXT NOT NULL, 
	begun DATETIME NOT NULL, 
	club_table VARCHAR(80) DEFAULT '' NOT NULL, checksum VARCHAR(16) DEFAULT '' NOT NULL, changes INTEGER DEFAULT '0' NOT NULL, touched DATETIME, serial INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "games" VALUES('golden','krone','[Game "krone"]
[Ruleset "amigo2006"]
[Date "2026-11-21"]
[Players "Änne" "Bert"]
','2026-11-21 06:19:20.313210','','2c1fac1253e97447',12,'2026-11-21 06:19:20.744734',1);
INSERT INTO "games" VALUES('deckgm','knatsch','[Game "knatsch"]
[Ruleset "abacus2000"]
[Players "Marc" "Carl" "Diane" "Manu"]
[Result "*"]
[Position "A castle-red / B castle-blue / C castle-green / D castle-yellow / left tournament 21*? / right tournament 21*? / king=? turn=A round=1"]

{Marc takes a castle of the stack with three fives. The crests are ours, the text names none.}
A under left {not interested in what lies there}
A reveal left castle-black 3-3-3+2
A target left
A roll 6 6 5 5 3 2
A keep 5 5
A roll 6 4
A keep 5 5
A roll 5 {three 5s beat three 3s}
','2026-11-21 06:19:20.999655','','d20dc0e48376e2ff',0,NULL,0);
CREATE TABLE pictures (
	game_id VARCHAR(16) NOT NULL, 
	number INTEGER NOT NULL, 
	jpeg BLOB NOT NULL, checksum VARCHAR(16) DEFAULT '' NOT NULL, 
	PRIMARY KEY (game_id, number), 
	FOREIGN KEY(game_id, number) REFERENCES changes (game_id, number) ON DELETE CASCADE
);
INSERT INTO "pictures" VALUES('golden',1,X'FFD8FFD9','46a2b1efc3a1d4b2');
CREATE TABLE season (
	id INTEGER NOT NULL, 
	begins DATE, 
	ends DATE, 
	PRIMARY KEY (id)
);
INSERT INTO "season" VALUES(1,NULL,NULL);
CREATE TRIGGER changes_are_final BEFORE UPDATE ON changes BEGIN SELECT RAISE(ABORT, 'a recorded change is final'); END;
CREATE INDEX ix_games_serial ON games (serial);
COMMIT;
