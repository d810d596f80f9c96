"""The cameras at the table: what watches the dice and the cards, and what the players taught it."""
