/* A turn to be solved: the unused cards, the goals, and one table for every set of cards that may still be unused. */
#ifndef COURTSIDE_TURN_H
#define COURTSIDE_TURN_H

#include "columns.h"

/* Card kinds. The faces of an adder are a bit mask (the Queen's has all six bits). */
enum { ADDER, MAID, PHILOSOPHER, ALCHEMIST, ASTRONOMER, NOBLEWOMAN, NOBLEMAN, MAGICIAN, FOOL, MERCHANT };
enum { MAX_CARDS = 16 };

/* Exact numbers are integers over 6^e. 6^49 is the highest power below 2^127. */
typedef unsigned __int128 Exact;
enum { MAX_EXPONENT = 49 };

/* What is known with r active dice and one set of unused cards. Values are doubles or Exacts over 6^(exponent). */
typedef struct {
    void *fresh;   /* rows x columns: no die set aside since the last normal roll */
    void *met;     /* the same with the duty met; only kept while the Fool or the Merchant is unused (see solve.h) */
    void *roll;    /* columns: rolling the r dice now */
    void *onward;  /* columns: rolling now, or after adding dice */
    int e_fresh, e_met, e_roll, e_onward;
} Block;

typedef struct {
    Block blocks[MAX_DICE + 1];
    int same_as;   /* the set with the same odds (adders without dice to add are worth nothing); itself mostly */
    int dice;      /* active and kept dice together, -1 if the set cannot be reached */
    int addable;   /* dice that can still be added */
    int remembers; /* the Astronomer is unused: the lists that remember faces apply */
    int chance;    /* the Fool or the Merchant is unused */
} Unused;

typedef struct {
    int kind, faces;
} Card;

typedef struct {
    int n_cards, n_goals, exact, most, kept_dice;
    Card cards[MAX_CARDS]; /* adders first */
    Goal goals[MAX_GOALS];
    uint8_t kept[FACES];
    int n_prices;
    Goal prices[MAX_GOALS]; /* WORTH: a result is worth the best `worths` of those it meets, and `nothing` at least */
    double worths[MAX_GOALS], nothing;
    double groups[MAX_DICE + 1][FACES]; /* WORTH and LADDER: what the best group is worth, by its dice and its face; mostly 0 */
    Columns lists[2][MAX_DICE + 2];
    int32_t roots[2][MAX_GOALS];
    Unused *sets; /* 2^n_cards, by the bits of the unused cards */
    int n_classes;                   /* security classes: sets of goals that some active dice alone meet for good */
    uint32_t *classes;               /* the bits of the goals of each class */
    uint16_t *secured[MAX_DICE + 1]; /* the class of every row of r dice */
    void *scratch[2];
    int32_t *keep;
    int (*expired)(void);
} Turn;

static int is_adder(const Turn *t, int card) { return t->cards[card].kind == ADDER; }

static Columns *columns_of(Turn *t, int set, int active) {
    return &t->lists[t->sets[set].remembers][active + t->sets[set].addable];
}

/* The columns of the goals that the active dice of this row leave open. */
static const Spans *open_spans(const Turn *t, const Columns *c, int r, int row) { return &c->open[t->secured[r][row]]; }

/* The set without this card, by its representative; -1 if the card is an adder and no die is left to add. */
static int without(const Turn *t, int set, int card) {
    if (is_adder(t, card) && !t->sets[set].addable) return -1;
    return t->sets[set & ~(1 << card)].same_as;
}

/* Dice numbers, representatives and flags of every set. `start` dice lie there or are in hand, `room` more may be added. */
static void lay_out_sets(Turn *t, int start, int room) {
    int all = (1 << t->n_cards) - 1, adders = 0;
    for (int i = 0; i < t->n_cards; i++) adders += is_adder(t, i);
    for (int set = 0; set <= all; set++) {
        Unused *u = &t->sets[set];
        int left = 0;
        u->same_as = set;
        for (int i = 0; i < t->n_cards; i++) {
            if (!(set >> i & 1)) continue;
            left += is_adder(t, i);
            u->remembers |= t->cards[i].kind == ASTRONOMER;
            u->chance |= t->cards[i].kind == FOOL || t->cards[i].kind == MERCHANT;
        }
        int used = adders - left;
        u->dice = used > room ? -1 : start + used;
        u->addable = at_most(left, room - used);
        if (used == room && left) { /* the supply is empty: the first such set with these other cards stands for all */
            for (int other = set >> adders << adders; other < set; other++)
                if (t->sets[other].dice == u->dice && !t->sets[other].addable) {
                    u->same_as = t->sets[other].same_as;
                    break;
                }
        }
    }
}

#endif
