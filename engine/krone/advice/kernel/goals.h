/* The goals of a turn, and the part of the kept dice that matters for them.
 *
 * Two kept multisets with the same remaining ways to a goal are one `Progress`. `reduce_progress` drops:
 *   - what exceeds the need (a goal that is met stays met: every goal but PARITY only grows with more dice);
 *   - what cannot matter with `d`, the maximum of dice that can still be set aside (a dead face, a dead pair).
 * Each reduction maps a progress to one with the same set of completing multisets of at most d dice, so the odds are the same.
 * While the Astronomer is unused, the faces among the kept dice matter too (`faces` = 1 keeps a count from falling to 0).
 */
#ifndef COURTSIDE_GOALS_H
#define COURTSIDE_GOALS_H

#include "dice.h"

enum { ALIKE, GROUPS, FULL_HOUSE, SUM, PARITY, STRAIGHT, VALUE, LADDER };
enum { LOST, WON, OPEN };
enum { MAX_GOALS = 24 };

typedef struct {
    int32_t kind;
    int32_t need[FACES]; /* ALIKE: dice needed of each face. GROUPS: size, number. SUM: target. PARITY: 1 odd, 0 even.
                            STRAIGHT: one or two bit masks of faces. VALUE: unused. LADDER: the fewest alike
                            dice with a value, for each face */
} Goal;

typedef struct {
    uint8_t count[FACES];
    uint8_t x;    /* groups complete, or the sum still needed, or (PARITY) whether it is lost */
    uint8_t goal; /* which of the goals this belongs to */
} Progress;

static int at_most(int value, int limit) { return value < limit ? value : limit; }
static int at_least(int value, int limit) { return value > limit ? value : limit; }

static Progress no_progress(const Goal *g, int number) {
    Progress p;
    memset(&p, 0, sizeof p);
    p.goal = (uint8_t)number;
    if (g->kind == SUM) p.x = (uint8_t)g->need[0];
    return p;
}

/* One more die of this face (0..5) set aside. */
static void advance(const Goal *g, Progress *p, int face) {
    uint8_t *n = &p->count[face];
    switch (g->kind) {
    case GROUPS: /* a count of `size` stands for "some, all of them in complete groups" */
        *n = *n == g->need[0] ? 1 : *n + 1;
        if (*n == g->need[0]) p->x++;
        break;
    case SUM:
        p->x = (uint8_t)at_least(p->x - face - 1, 0);
        *n = 1;
        break;
    case PARITY:
        if ((face + 1) % 2 != g->need[0]) p->x = 1;
        *n = 1;
        break;
    case STRAIGHT:
        *n = 1;
        break;
    default:
        if (*n < 255) (*n)++;
    }
}

static int missing(const Progress *p, int mask) {
    int n = 0;
    for (int f = 0; f < FACES; f++) n += (mask >> f & 1) && !p->count[f];
    return n;
}

/* The fewest dice that complete `groups` more groups, the first of them at `first` (any face if -1). */
static int dice_for_groups(const Goal *g, const Progress *p, int groups, int first) {
    int size = g->need[0], total = 0, used = 0, cost[FACES];
    for (int f = 0; f < FACES; f++) cost[f] = size - p->count[f] % size;
    for (; groups > 0; groups--) {
        int best = first;
        if (used++ || first < 0) {
            best = 0;
            for (int f = 1; f < FACES; f++)
                if (cost[f] < cost[best]) best = f;
        }
        total += cost[best];
        cost[best] = size;
    }
    return total;
}

/* The fewest dice for three alike and two others alike, with `role` of face `f` fixed: 3, 2 or 5 of it. */
static int dice_for_house(const Progress *p, int f, int role) {
    int other = 5 - role, best = 99;
    if (role == 5) return at_least(5 - p->count[f], 0);
    for (int g = 0; g < FACES; g++)
        if (g != f) best = at_most(best, at_least(other - p->count[g], 0));
    return at_least(role - p->count[f], 0) + best;
}

/* LOST, WON or OPEN with at most d more dice. Removes from p what no longer matters. */
static int reduce_progress(const Goal *g, Progress *p, int d, int faces) {
    int hope = 0;
    switch (g->kind) {
    case ALIKE:
        for (int f = 0; f < FACES; f++) {
            if (p->count[f] >= g->need[f]) return WON;
            if (p->count[f] + d >= g->need[f]) hope = 1;
            else p->count[f] = (uint8_t)at_most(p->count[f], faces);
        }
        return hope ? OPEN : LOST;
    case LADDER:
        for (int f = 0; f < FACES; f++) {
            if (p->count[f] + d >= g->need[f]) hope = 1;
            else p->count[f] = (uint8_t)at_most(p->count[f], faces);
        }
        return hope ? OPEN : LOST;
    case GROUPS: {
        int groups = g->need[1] - p->x;
        Progress was = *p;
        if (groups <= 0) return WON;
        if (dice_for_groups(g, p, groups, -1) > d) return LOST;
        for (int f = 0; f < FACES; f++) {
            int dead = dice_for_groups(g, &was, groups, f) > d;
            if (was.count[f] == g->need[0] || dead) p->count[f] = faces && was.count[f] ? (uint8_t)g->need[0] : 0;
        }
        return OPEN;
    }
    case FULL_HOUSE: {
        Progress was = *p;
        for (int f = 0; f < FACES; f++) {
            int cost = at_most(dice_for_house(&was, f, 5), at_most(dice_for_house(&was, f, 3), dice_for_house(&was, f, 2)));
            if (cost == 0) return WON;
            if (cost <= d) hope = 1;
            else p->count[f] = (uint8_t)at_most(p->count[f], faces);
        }
        return hope ? OPEN : LOST;
    }
    case SUM:
        if (p->x == 0) return WON;
        if (!faces) memset(p->count, 0, FACES);
        return p->x > FACES * d ? LOST : OPEN;
    case PARITY:
        if (!faces) memset(p->count, 0, FACES);
        return p->x ? LOST : OPEN;
    case STRAIGHT: {
        int useful = 0;
        for (int i = 0; i < 2 && g->need[i]; i++) {
            int open = missing(p, g->need[i]);
            if (open == 0) return WON;
            if (open <= d) useful |= g->need[i];
        }
        if (!faces)
            for (int f = 0; f < FACES; f++)
                if (!(useful >> f & 1)) p->count[f] = 0;
        return useful ? OPEN : LOST;
    }
    default:
        return OPEN;
    }
}

/* Whether these dice meet the cost, computed directly, without a Progress. */
static int meets(const Goal *g, const uint8_t counts[FACES]) {
    int sum = 0, groups = 0, odd = 0, even = 0, faces = 0, pairs = 0, triples = 0, fives = 0, alike = 0;
    for (int f = 0; f < FACES; f++) {
        int n = counts[f];
        alike |= n >= g->need[f];
        pairs += n >= 2;
        triples += n >= 3;
        fives += n >= 5;
        sum += (f + 1) * n;
        faces |= (n > 0) << f;
        if (g->kind == GROUPS) groups += n / g->need[0];
        *((f + 1) % 2 ? &odd : &even) += n;
    }
    switch (g->kind) {
    case ALIKE: return alike;
    case GROUPS: return groups >= g->need[1];
    case FULL_HOUSE: return fives || (triples && pairs >= 2);
    case SUM: return sum >= g->need[0];
    case PARITY: return !(g->need[0] ? even : odd);
    case STRAIGHT:
        for (int i = 0; i < 2 && g->need[i]; i++)
            if ((faces & g->need[i]) == g->need[i]) return 1;
    }
    return 0;
}

/* Whether the goal stays met when dice are added. */
static int only_grows(const Goal *g) { return g->kind != PARITY && g->kind != VALUE && g->kind != LADDER; }

#endif
