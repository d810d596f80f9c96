/* The odds of a turn under best play, called by engine/krone/advice/kernel.py. Pure computation: no I/O, no clock, no randomness. */
#include "turn.h"

static Exact SIX_POWERS[MAX_EXPONENT + 1];

#define NUM double
#define NAME(f) f##_double
#define ONE(e) 1.0
#define TIMES(x, lift) ((void)(lift), (x))
#define SIXES(e) ((double)((void)(e), 0))
#define SHARE(x, dice) ((x) * (NUM)SIXTHS[dice])
static double SIXTHS[MAX_DICE + 1];
#include "solve.h"
#undef NUM
#undef NAME
#undef ONE
#undef SIXES

/* Half the memory and twice the speed, for results that are estimates anyway. Errors stay below 1e-5. */
#define NUM float
#define NAME(f) f##_single
#define ONE(e) 1.0f
#define SIXES(e) ((float)((void)(e), 0))
#include "solve.h"
#undef NUM
#undef NAME
#undef ONE
#undef TIMES
#undef SIXES
#undef SHARE

#define NUM Exact
#define NAME(f) f##_exact
#define ONE(e) SIX_POWERS[e]
#define TIMES(x, lift) ((x) * (lift))
#define SIXES(e) SIX_POWERS[e]
#define SHARE(x, dice) (x) /* the denominator grows instead */
#include "solve.h"

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* Builds the tables that turns of up to `most` dice share: call it before such a turn, from one thread at a time.
 * 0, or -1 without memory. */
EXPORT int courtside_prepare(int most) {
    SIX_POWERS[0] = 1;
    for (int e = 1; e <= MAX_EXPONENT; e++) SIX_POWERS[e] = 6 * SIX_POWERS[e - 1];
    for (int r = 0; r <= MAX_DICE; r++) SIXTHS[r] = 1.0 / (double)SIX_POWERS[r];
    return most > MAX_DICE ? -1 : build_throws(most + 1);
}

EXPORT void courtside_free(Turn *t) {
    if (!t) return;
    for (int set = 0; t->sets && set < n_sets(t); set++)
        for (int r = 0; r <= MAX_DICE; r++) {
            Block *b = &t->sets[set].blocks[r];
            free(b->fresh);
            free(b->met);
            free(b->roll);
            free(b->onward);
        }
    for (int i = 0; i < 2; i++) {
        for (int d = 0; d <= MAX_DICE + 1; d++) free_columns(&t->lists[i][d]);
        free(t->scratch[i]);
    }
    for (int r = 0; r <= MAX_DICE; r++) free(t->secured[r]);
    free(t->classes);
    free(t->keep);
    free(t->sets);
    free(t);
}

/* The class of a set of secured goals, created if it is new; -1 without memory. */
static int class_of(Turn *t, uint32_t bits) {
    for (int i = 0; i < t->n_classes; i++)
        if (t->classes[i] == bits) return i;
    uint32_t *classes = realloc(t->classes, (size_t)(t->n_classes + 1) * sizeof *classes);
    if (!classes || t->n_classes > UINT16_MAX) return -1;
    t->classes = classes;
    classes[t->n_classes] = bits;
    return t->n_classes++;
}

/* Computes the security class of every row: the goals that a smaller row secures, and those that the row itself secures. */
static int lay_out_secured(Turn *t) {
    for (int r = 0; r <= t->most; r++) {
        const Throws *all = &THROWS[r];
        t->secured[r] = malloc((size_t)all->rows * sizeof *t->secured[r]);
        if (!t->secured[r]) return -1;
        for (int row = 0; row < all->rows; row++) {
            uint32_t bits = 0;
            for (int f = 0; f < FACES; f++)
                if (all->counts[row][f]) bits |= t->classes[t->secured[r - 1][all->less[row][f]]];
            for (int g = 0; g < t->n_goals; g++)
                if (!(bits >> g & 1) && only_grows(&t->goals[g]) && meets(&t->goals[g], all->counts[row])) bits |= 1u << g;
            int found = class_of(t, bits);
            if (found < 0) return -1;
            t->secured[r][row] = (uint16_t)found;
        }
    }
    return 0;
}

static int lay_out_open(Turn *t, Columns *lists) {
    for (int d = 0; d <= t->most; d++) {
        lists[d].open = malloc((size_t)t->n_classes * sizeof *lists[d].open);
        if (!lists[d].open) return -1;
        for (int i = 0; i < t->n_classes; i++) lists[d].open[i] = span_without(&lists[d], t->n_goals, t->classes[i]);
    }
    return 0;
}

/* The powers of six under every block's numbers, in the order in which blocks are solved. */
static void lay_out_exponents(Turn *t) {
    for (int set = 0; set < n_sets(t); set++) {
        Unused *u = &t->sets[set];
        if (u->dice < 0 || u->same_as != set) continue;
        for (int r = 0; r <= u->dice - t->kept_dice; r++) {
            Block *b = &u->blocks[r];
            int fresh = r ? u->blocks[r - 1].e_met : 0, met = 0, onward = 0;
            for (int i = 0; i < t->n_cards; i++) {
                int kind = t->cards[i].kind, left = without(t, set, i);
                if (left < 0 || (r == 0 && kind != ADDER)) continue;
                const Block *then = &t->sets[left].blocks[r + (kind == ADDER)];
                int spread = kind == FOOL ? 1 : kind == MERCHANT ? r : 0;
                fresh = at_least(fresh, then->e_fresh + spread);
                met = at_least(met, then->e_met + spread);
                if (kind == ADDER) onward = at_least(onward, then->e_onward);
            }
            b->e_fresh = fresh;
            b->e_roll = fresh + r;
            b->e_onward = at_least(b->e_roll, onward);
            b->e_met = at_least(at_least(fresh, b->e_onward), met);
        }
    }
}

/* A turn to solve.
 * cards: the player's n_own cards, adders first; then the alternatives, of which the player has at most one.
 * groups: for every goal of kind VALUE or LADDER, the value of a result's best group, by number of equal dice, then by face; NULL: 0.
 * kept: dice already set aside, by face. start: dice on the table or in hand, kept ones included. room: dice that can still be added.
 * Returns NULL without memory. */
EXPORT Turn *courtside_turn(int n_own, int n_cards, const Card *cards, int n_goals, const Goal *goals, int n_prices, const Goal *prices,
                            const double *values, double nothing, const double (*groups)[MAX_DICE + 1][FACES], const uint8_t *kept,
                            int start, int room) {
    Turn *t = calloc(1, sizeof *t);
    int adders, remembers = 0;
    if (!t) return NULL;
    t->n_own = n_own;
    t->n_cards = n_cards;
    t->n_goals = n_goals;
    t->n_prices = n_prices;
    t->nothing = nothing;
    memcpy(t->cards, cards, (size_t)n_cards * sizeof *cards);
    memcpy(t->goals, goals, (size_t)n_goals * sizeof *goals);
    if (n_prices) memcpy(t->prices, prices, (size_t)n_prices * sizeof *prices);
    if (n_prices) memcpy(t->values, values, (size_t)n_prices * sizeof *values);
    if (groups) memcpy(t->groups, groups, (size_t)n_goals * sizeof *groups);
    memcpy(t->kept, kept, FACES);
    for (int f = 0; f < FACES; f++) t->kept_dice += kept[f];
    for (int i = 0; i < n_cards; i++) {
        remembers |= cards[i].kind == ASTRONOMER;
    }
    adders = adders_of(t);
    t->most = start + at_most(adders, room) - t->kept_dice;
    t->sets = calloc((size_t)n_sets(t), sizeof *t->sets);
    if (!t->sets || lay_out_secured(t)) goto failed;
    lay_out_sets(t, start, room);
    if (build_columns(t->lists[0], t->most, goals, n_goals, kept, 0, t->roots[0])) goto failed;
    if (remembers && build_columns(t->lists[1], t->most, goals, n_goals, kept, 1, t->roots[1])) goto failed;
    if (remembers && build_forget(t->lists[1], t->lists[0], t->most, goals)) goto failed;
    if (join_futures(t, at_most(adders, room))) goto failed;
    if (lay_out_open(t, t->lists[0]) || (remembers && lay_out_open(t, t->lists[1]))) goto failed;
    lay_out_exponents(t);
    return t;
failed:
    courtside_free(t);
    return NULL;
}

/* Number of cells in the tables of this turn: a measure of work, and of memory at 8 (double), 16 (exact) or 4 (single) bytes each. */
EXPORT double courtside_cells(Turn *t) {
    double cells = 0;
    for (int set = 0; set < n_sets(t); set++) {
        Unused *u = &t->sets[set];
        if (u->dice < 0 || u->same_as != set) continue;
        for (int r = 0; r <= u->dice - t->kept_dice; r++) cells += (double)THROWS[r].rows * columns_of(t, set, r)->n * (1 + u->chance);
    }
    return cells;
}

/* Whether a goal is out of reach for every result of the active dice and every use of the cards. Needs no tables. */
EXPORT int courtside_hopeless(const Turn *t, int goal) {
    return t->roots[t->sets[n_sets(t) - 1].remembers][goal] == COLUMN_LOST;
}

/* Exponent of six in the denominator of this turn's exact odds; above MAX_EXPONENT there are no exact odds. */
EXPORT int courtside_exponent(const Turn *t) {
    int e = 0;
    for (int set = 0; set < n_sets(t); set++)
        for (int r = 0; r <= MAX_DICE; r++) e = at_least(e, t->sets[set].blocks[r].e_met);
    return e;
}

/* Fills the tables with numbers of this kind. Returns 0, 1 if `expired` stopped it, or -1 without memory. */
EXPORT int courtside_solve(Turn *t, int numbers, int (*expired)(void)) {
    const size_t sizes[] = {sizeof(double), sizeof(Exact), sizeof(float)};
    size_t work = 0, wide = 0, widest = 0, size = sizes[numbers];
    for (int set = 0; set < n_sets(t); set++) {
        Unused *u = &t->sets[set];
        if (u->dice < 0 || u->same_as != set) continue;
        size_t levels = 0;
        for (int r = 0; r <= u->dice - t->kept_dice; r++) {
            size_t n = (size_t)columns_of(t, set, r)->n, rows = (size_t)THROWS[r].rows;
            levels += rows;
            if (n * (u->chance ? levels : rows + 1) > work) work = n * (u->chance ? levels : rows + 1);
            if (n * rows > wide) wide = n * rows;
            if (n > widest) widest = n;
        }
    }
    t->numbers = numbers;
    t->expired = expired;
    t->scratch[0] = malloc((work + widest) * size);
    t->scratch[1] = malloc(wide * size);
    t->keep = malloc(widest * sizeof *t->keep);
    if (!t->scratch[0] || !t->scratch[1] || !t->keep) return -1;
    return numbers == EXACT ? solve_exact(t) : numbers == SINGLE ? solve_single(t) : solve_double(t);
}

enum { FRESH, MET, ROLL, ONWARD };

typedef struct {
    double value;
    uint64_t high, low; /* exact: numerator over 6^exponent */
    int32_t exponent;
} Answer;

/* The two numbers whose maximum is the answer for one block, and their common denominator. */
typedef struct {
    const void *by_row, *by_column; /* either may be NULL */
    int e_row, e_column, e;
} Asked;

static Asked asked(const Unused *u, int active, int question) {
    const Block *b = &u->blocks[active];
    Asked a = {NULL, NULL, 0, 0, 0};
    if (question == ROLL) a.by_column = b->roll, a.e_column = b->e_roll;
    if (question == ONWARD || (question == MET && !u->chance)) a.by_column = b->onward, a.e_column = b->e_onward;
    if (question == FRESH || (question == MET && !u->chance)) a.by_row = b->fresh, a.e_row = b->e_fresh;
    if (question == MET && u->chance) a.by_row = b->met, a.e_row = b->e_met;
    a.e = at_least(a.e_row, a.e_column);
    return a;
}

static double asked_float(const Asked *a, size_t cell, int column, int numbers) {
    double x = 0, y = 0;
    if (a->by_row) x = numbers == SINGLE ? ((const float *)a->by_row)[cell] : ((const double *)a->by_row)[cell];
    if (a->by_column) y = numbers == SINGLE ? ((const float *)a->by_column)[column] : ((const double *)a->by_column)[column];
    return x > y ? x : y;
}

static Exact asked_exact(const Asked *a, size_t cell, int column) {
    Exact x = a->by_row ? ((const Exact *)a->by_row)[cell] * SIX_POWERS[a->e - a->e_row] : 0;
    Exact y = a->by_column ? ((const Exact *)a->by_column)[column] * SIX_POWERS[a->e - a->e_column] : 0;
    return x > y ? x : y;
}

/* The odds for one goal with the cards in `set` unused, `more` dice set aside since the turn was solved, and `active` dice on the
 * table. `again` further dice are being rerolled by a card: the mean over their results.
 * question: FRESH or MET (the duty), ROLL (rolling them now), ONWARD (rolling now or after adding dice). */
EXPORT Answer courtside_ask(Turn *t, int goal, int set, const uint8_t *active, const uint8_t *more, int again, int question) {
    Answer answer = {0, 0, 0, 0};
    int r = again, d = t->most;
    const Unused *u = &t->sets[set = t->sets[set].same_as];
    int column = t->roots[u->remembers][goal], dice = t->kept_dice + again;
    for (int f = 0; f < FACES; f++) dice += active[f] + more[f];
    if (dice != u->dice) {
        answer.exponent = -1; /* no position of this turn */
        return answer;
    }
    for (int f = 0; f < FACES; f++) {
        r += active[f];
        for (int n = 0; n < more[f]; n++) column = t->lists[u->remembers][d--].keep[column][f];
    }
    const size_t n = (size_t)columns_of(t, set, r)->n;
    const Asked a = asked(u, r, question);
    Exact sum = 0;
    for (int row = 0; row < THROWS[again].rows; row++) {
        uint8_t lying[FACES];
        for (int f = 0; f < FACES; f++) lying[f] = (uint8_t)(active[f] + THROWS[again].counts[row][f]);
        size_t cell = (size_t)row_of(lying) * n + (size_t)column;
        if (t->numbers == EXACT) sum += (Exact)THROWS[again].ways[row] * asked_exact(&a, cell, column);
        else answer.value += THROWS[again].ways[row] * asked_float(&a, cell, column, t->numbers);
    }
    answer.value *= SIXTHS[again];
    answer.exponent = a.e + again;
    answer.high = (uint64_t)(sum >> 64);
    answer.low = (uint64_t)sum;
    return answer;
}
