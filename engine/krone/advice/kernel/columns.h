/* Columns: for every number `d` of dice that can still be set aside, the possible progresses of the goals.
 *
 * All tables of a turn are matrices, a row for every multiset of active dice, a column for every progress of every goal.
 * The dice set aside so far and `d` always add up to the same number, so one list per d serves every set of unused cards; a
 * second list, which remembers the faces among the kept dice, serves the sets with the Astronomer in them.
 *
 * Two progresses with the same future are one column: from the last die backwards, columns that have the same value where the
 * rolling can end and that lead to the same columns with every die are joined (J. E. Hopcroft's minimal automaton, which takes
 * one pass for an automaton without loops). This does not change the odds.
 */
#ifndef COURTSIDE_COLUMNS_H
#define COURTSIDE_COLUMNS_H

#include "goals.h"

enum { COLUMN_LOST, COLUMN_WON, FIRST_OPEN };

/* A stretch of columns: from the first to the last goal that some active dice leave open. */
typedef struct {
    int from, to;
} Span;

typedef struct {
    int n, room, n_slots;
    int first[MAX_GOALS + 1]; /* goal g has the columns first[g] .. first[g + 1] - 1 */
    Progress *progress;
    int32_t (*keep)[FACES]; /* column of the list for d - 1 after setting one such die aside */
    int32_t *forget;        /* only in lists that remember faces: column of the list that does not */
    double *stop;           /* value of stopping here; 0 while no set of cards allows it */
    int32_t *slots;         /* hash table of column numbers */
    Span *open;             /* by security class (turn.h): the columns of the goals not secured */
} Columns;

static void free_columns(Columns *c) {
    free(c->progress);
    free(c->keep);
    free(c->forget);
    free(c->stop);
    free(c->slots);
    free(c->open);
    memset(c, 0, sizeof *c);
}

static int32_t *slot_of(const Columns *c, const Progress *p) {
    uint32_t hash = 2166136261u;
    const uint8_t *bytes = (const uint8_t *)p;
    for (size_t i = 0; i < sizeof *p; i++) hash = (hash ^ bytes[i]) * 16777619u;
    for (hash ^= hash >> 15;; hash++) {
        int32_t *slot = &c->slots[hash & (uint32_t)(c->n_slots - 1)];
        if (*slot < 0 || !memcmp(&c->progress[*slot], p, sizeof *p)) return slot;
    }
}

/* Doubles the capacity of a list, or allocates it. Returns 0, or -1 without memory. */
static int grow(Columns *c) {
    int room = c->room ? 2 * c->room : 64, n_slots = 4 * room;
    Progress *progress = realloc(c->progress, (size_t)room * sizeof *progress);
    if (progress) c->progress = progress;
    int32_t(*keep)[FACES] = realloc(c->keep, (size_t)room * sizeof *keep);
    if (keep) c->keep = keep;
    int32_t *slots = realloc(c->slots, (size_t)n_slots * sizeof *slots);
    if (slots) c->slots = slots;
    if (!progress || !keep || !slots) return -1;
    c->room = room;
    c->n_slots = n_slots;
    memset(slots, 255, (size_t)n_slots * sizeof *slots);
    for (int i = FIRST_OPEN; i < c->n; i++) *slot_of(c, &progress[i]) = i;
    return 0;
}

static int start_list(Columns *c) {
    if (grow(c)) return -1;
    c->n = FIRST_OPEN;
    memset(c->progress, 255, FIRST_OPEN * sizeof *c->progress);
    for (int f = 0; f < FACES; f++) {
        c->keep[COLUMN_LOST][f] = COLUMN_LOST;
        c->keep[COLUMN_WON][f] = COLUMN_WON;
    }
    return 0;
}

/* The column of p in the list for d, added if it is new; p is reduced. -1 without memory. */
static int column_of(Columns *c, const Goal *goals, Progress *p, int d, int faces) {
    int status = reduce_progress(&goals[p->goal], p, d, faces);
    if (status != OPEN) return status == WON ? COLUMN_WON : COLUMN_LOST;
    int32_t *slot = slot_of(c, p);
    if (*slot >= 0) return *slot;
    if (c->n == c->room) {
        if (grow(c)) return -1;
        slot = slot_of(c, p);
    }
    c->progress[c->n] = *p;
    return *slot = c->n++;
}

/* Fills lists[most] .. lists[0] from the dice kept so far; roots[g] is goal g's column at d = most. 0, or -1 without memory. */
static int build_columns(Columns *lists, int most, const Goal *goals, int n_goals, const uint8_t kept[FACES], int faces,
                         int32_t *roots) {
    for (int d = most; d >= 0; d--) {
        Columns *c = &lists[d], *above = &lists[d + 1];
        if (start_list(c)) return -1;
        for (int g = 0; g < n_goals; g++) {
            c->first[g] = c->n;
            if (d == most) {
                Progress p = no_progress(&goals[g], g);
                for (int f = 0; f < FACES; f++)
                    for (int n = 0; n < kept[f]; n++) advance(&goals[g], &p, f);
                if ((roots[g] = column_of(c, goals, &p, d, faces)) < 0) return -1;
                continue;
            }
            for (int i = above->first[g]; i < above->first[g + 1]; i++)
                for (int f = 0; f < FACES; f++) {
                    Progress p = above->progress[i];
                    advance(&goals[g], &p, f);
                    if ((above->keep[i][f] = column_of(c, goals, &p, d, faces)) < 0) return -1;
                }
        }
        c->first[n_goals] = c->n;
    }
    return 0;
}

/* Fills `forget` of the lists that remember faces. 0, or -1 without memory (or if a list lacks a progress: never). */
static int build_forget(Columns *with, Columns *without, int most, const Goal *goals) {
    for (int d = 0; d <= most; d++) {
        Columns *a = &with[d];
        a->forget = malloc((size_t)a->n * sizeof *a->forget);
        if (!a->forget) return -1;
        a->forget[COLUMN_LOST] = COLUMN_LOST;
        a->forget[COLUMN_WON] = COLUMN_WON;
        for (int i = FIRST_OPEN; i < a->n; i++) {
            Progress p = a->progress[i];
            int known = without[d].n;
            a->forget[i] = column_of(&without[d], goals, &p, d, 0);
            if (a->forget[i] < 0 || without[d].n != known) return -1;
        }
    }
    return 0;
}

/* Whether columns a and b of a list have the same future; the list of d - 1 dice is joined already. */
static int same_future(const Columns *c, int a, int b, int faces) {
    if (c->stop[a] != c->stop[b] || memcmp(c->keep[a], c->keep[b], sizeof *c->keep)) return 0;
    if (c->forget && c->forget[a] != c->forget[b]) return 0;
    for (int f = 0; f < FACES && faces; f++)
        if (!c->progress[a].count[f] != !c->progress[b].count[f]) return 0;
    return 1;
}

static uint32_t future_hash(const Columns *c, int column) {
    uint32_t hash = 2166136261u, words[FACES + 3];
    memcpy(words, c->keep[column], sizeof *c->keep);
    memcpy(words + FACES, &c->stop[column], sizeof *c->stop);
    words[FACES + 2] = c->forget ? (uint32_t)c->forget[column] : 0;
    for (int i = 0; i < FACES + 3; i++) hash = (hash ^ words[i]) * 16777619u, hash ^= hash >> 13;
    return hash;
}

/* Joins the columns of the list for d dice. below: where the columns of the list for d - 1 went (NULL for d = 0); plain: where
 * those of the list that does not remember faces went (NULL for that list itself). Returns where these went, NULL without memory. */
static int32_t *join_columns(Columns *c, int d, int n_goals, const int32_t *below, const int32_t *plain) {
    int32_t *went = malloc((size_t)c->n * sizeof *went);
    int joined = FIRST_OPEN;
    if (!went) return NULL;
    memset(c->slots, 255, (size_t)c->n_slots * sizeof *c->slots);
    went[COLUMN_LOST] = COLUMN_LOST;
    went[COLUMN_WON] = COLUMN_WON;
    for (int g = 0; g < n_goals; g++) {
        int from = c->first[g], to = c->first[g + 1];
        c->first[g] = joined;
        for (int i = from; i < to; i++) { /* joined <= i: what is overwritten has been read */
            int hopeless = d > 0 && c->stop[i] == 0;
            for (int f = 0; f < FACES; f++) {
                c->keep[joined][f] = d ? below[c->keep[i][f]] : 0;
                hopeless &= c->keep[joined][f] == COLUMN_LOST;
            }
            c->progress[joined] = c->progress[i];
            c->stop[joined] = c->stop[i];
            if (plain) c->forget[joined] = plain[c->forget[i]];
            if (hopeless) {
                went[i] = COLUMN_LOST;
                continue;
            }
            uint32_t hash = future_hash(c, joined);
            int32_t *slot = &c->slots[hash & (uint32_t)(c->n_slots - 1)];
            while (*slot >= 0 && (*slot < c->first[g] || !same_future(c, *slot, joined, plain != NULL)))
                slot = &c->slots[++hash & (uint32_t)(c->n_slots - 1)];
            if (*slot < 0) *slot = joined++;
            went[i] = *slot;
        }
    }
    c->first[n_goals] = c->n = joined;
    return went;
}

/* The columns of the goals whose bit is not set, and of those between them. */
static Span span_without(const Columns *c, int n_goals, uint32_t secured) {
    Span s = {0, 0};
    for (int g = 0; g < n_goals; g++) {
        if ((secured >> g & 1) || c->first[g] == c->first[g + 1]) continue;
        if (!s.to) s.from = c->first[g];
        s.to = c->first[g + 1];
    }
    return s;
}

#endif
