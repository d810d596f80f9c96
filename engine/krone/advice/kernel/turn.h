/* A turn to be solved: the unused cards, the goals, and one table for every set of cards that may still be unused. */
#ifndef COURTSIDE_TURN_H
#define COURTSIDE_TURN_H

#include "columns.h"

/* Card kinds. The faces of an adder are a bit mask (the Queen's has all six bits). */
enum { ADDER, MAID, PHILOSOPHER, ALCHEMIST, ASTRONOMER, NOBLEWOMAN, NOBLEMAN, MAGICIAN, FOOL, MERCHANT };
enum { MAX_CARDS = 16, MAX_ALTERNATIVES = 16 };

/* Exact numbers are integers over 6^e. 6^49 is the highest power below 2^127. */
typedef unsigned __int128 Exact;
enum { MAX_EXPONENT = 49 };
enum { DOUBLE, EXACT, SINGLE }; /* number format of the tables; the order of Numbers in engine/krone/advice/kernel.py */

/* The values with r active dice and one set of unused cards. Values are doubles, floats, or Exacts over 6^(exponent). */
typedef struct {
    void *fresh;   /* rows x columns: no die set aside since the last normal roll */
    void *met;     /* the same with the duty met; only kept while the Fool or the Merchant is unused (see solve.h) */
    void *roll;    /* columns: rolling the r dice now */
    void *onward;  /* columns: rolling now, or after adding dice */
    int e_fresh, e_met, e_roll, e_onward;
} Block;

typedef struct {
    Block blocks[MAX_DICE + 1];
    int same_as;   /* the set with the same odds (adders without dice to add are worth nothing); usually itself */
    int dice;      /* active and kept dice together, -1 if the set cannot be reached */
    int addable;   /* dice that can still be added */
    int remembers; /* the Astronomer is unused: the lists that remember faces apply */
    int chance;    /* the Fool or the Merchant is unused */
} Unused;

typedef struct {
    int kind, faces;
} Card;

typedef struct {
    int n_cards, n_own, n_goals, numbers, most, kept_dice;
    Card cards[MAX_CARDS + MAX_ALTERNATIVES]; /* n_own that the player has, adders first; then alternatives (see `has`) */
    Goal goals[MAX_GOALS];
    uint8_t kept[FACES];
    int n_prices;
    Goal prices[MAX_GOALS]; /* VALUE: a result has the largest of the `values` of the prices it meets, at least `nothing` */
    double values[MAX_GOALS], nothing;
    double groups[MAX_GOALS][MAX_DICE + 1][FACES]; /* VALUE, LADDER: value of the best group, by dice and face; mostly 0 */
    Columns lists[2][MAX_DICE + 2];
    int32_t roots[2][MAX_GOALS];
    Unused *sets; /* n_sets, by the bits of the player's unused cards and, above these, the number of the alternative */
    int n_classes;                   /* security classes: sets of goals that some active dice alone secure */
    uint32_t *classes;               /* the bits of the goals of each class */
    uint16_t *secured[MAX_DICE + 1]; /* the class of every row of r dice */
    void *scratch[2];
    int32_t *keep;
    int (*expired)(void);
} Turn;

static int is_adder(const Turn *t, int card) { return t->cards[card].kind == ADDER; }

/* A player has at most one of the alternatives. They are solved together, because most sets of unused cards are the same. Either all
 * of them add a die or none does, so the number of dice is known when none is left. */
static int n_sets(const Turn *t) { return (1 + t->n_cards - t->n_own) << t->n_own; }

static int has(const Turn *t, int set, int card) {
    return card < t->n_own ? set >> card & 1 : set >> t->n_own == card - t->n_own + 1;
}

/* Number of cards that can add a die in one turn; the alternatives count once. */
static int adders_of(const Turn *t) {
    int adders = t->n_cards > t->n_own && is_adder(t, t->n_own);
    for (int i = 0; i < t->n_own; i++) adders += is_adder(t, i);
    return adders;
}

static Columns *columns_of(Turn *t, int set, int active) {
    return &t->lists[t->sets[set].remembers][active + t->sets[set].addable];
}

/* The value of a progress if the player stops rolling there; 1 or 0 for goals that are either met or not. */
static double stop_value(const Turn *t, const Progress *p) {
    const Goal *g = &t->goals[p->goal];
    double value = g->kind == VALUE ? t->nothing : 0;
    int face = 0;
    if (g->kind != VALUE && g->kind != LADDER) return g->kind == PARITY;
    for (int f = 1; f < FACES; f++)
        if (p->count[f] >= p->count[face]) face = f; /* of equal groups the higher face */
    if (t->groups[p->goal][p->count[face]][face] > value) value = t->groups[p->goal][p->count[face]][face];
    for (int i = 0; i < t->n_prices && g->kind == VALUE; i++)
        if (t->values[i] > value && meets(&t->prices[i], p->count)) value = t->values[i];
    return value;
}

/* Joins the columns with the same future in all lists. addable: dice that the unused cards can still add; the rolling can end
 * without active dice alone, so in the lists beyond `addable` it cannot. 0, or -1 without memory. */
static int join_futures(Turn *t, int addable) {
    int32_t *went[2][MAX_DICE + 2] = {{NULL}};
    int failed = 0;
    for (int d = 0; d <= t->most && !failed; d++)
        for (int faces = 0; faces < 2 && t->lists[faces][d].n; faces++) {
            Columns *c = &t->lists[faces][d];
            c->stop = calloc((size_t)c->n, sizeof *c->stop);
            if ((failed |= !c->stop)) break;
            for (int i = FIRST_OPEN; i < c->n && d <= addable; i++) c->stop[i] = stop_value(t, &c->progress[i]);
            went[faces][d] = join_columns(c, d, t->n_goals, d ? went[faces][d - 1] : NULL, faces ? went[0][d] : NULL);
            if ((failed |= !went[faces][d])) break;
            for (int g = 0; g < t->n_goals && d == t->most; g++) t->roots[faces][g] = went[faces][d][t->roots[faces][g]];
        }
    for (int d = 0; d <= t->most; d++) free(went[0][d]), free(went[1][d]);
    return -failed;
}

/* The columns of the goals that the active dice of this row leave open. */
static Span open_span(const Turn *t, const Columns *c, int r, int row) { return c->open[t->secured[r][row]]; }

/* The set without this card, by its representative; -1 if the card is not in it, or an adder and no die is left to add. */
static int without(const Turn *t, int set, int card) {
    if (!has(t, set, card) || (is_adder(t, card) && !t->sets[set].addable)) return -1;
    return t->sets[card < t->n_own ? set & ~(1 << card) : set & ((1 << t->n_own) - 1)].same_as;
}

/* Dice numbers, representatives and flags of every set. `start` dice are on the table or in hand, `room` more can be added. */
static void lay_out_sets(Turn *t, int start, int room) {
    int adders = adders_of(t), one_of = t->n_cards > t->n_own && is_adder(t, t->n_own), own_adders = adders - one_of;
    for (int set = 0; set < n_sets(t); set++) {
        Unused *u = &t->sets[set];
        int left = 0;
        u->same_as = set;
        for (int i = 0; i < t->n_cards; i++) {
            if (!has(t, set, i)) continue;
            left += is_adder(t, i);
            u->remembers |= t->cards[i].kind == ASTRONOMER;
            u->chance |= t->cards[i].kind == FOOL || t->cards[i].kind == MERCHANT;
        }
        int used = adders - left;
        u->dice = used > room ? -1 : start + used;
        u->addable = at_most(left, room - used);
        if (used == room && left) { /* the supply is empty: the first such set with these other cards represents all */
            int same = one_of ? set & ((1 << t->n_own) - 1) : set, first = same >> own_adders << own_adders;
            for (int other = first; other < set && other < first + (1 << own_adders); other++)
                if (t->sets[other].dice == u->dice && !t->sets[other].addable) {
                    u->same_as = t->sets[other].same_as;
                    break;
                }
        }
    }
}

#endif
