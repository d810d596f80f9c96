/* Multisets of dice by number: every throw of r dice has a row number, and removing or adding a die is a table look-up.
 *
 * Rows of r dice are numbered in the lexicographic order of the sorted dice: (1,1,1) is row 0, (6,6,6) the last. Raising a
 * die therefore always leads to a higher row.
 */
#ifndef COURTSIDE_DICE_H
#define COURTSIDE_DICE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FACES = 6, MAX_DICE = 18 };

typedef struct {
    int rows;
    uint8_t (*counts)[FACES]; /* how often each face lies there */
    int32_t (*less)[FACES];   /* row (of r - 1 dice) without one such face, -1 if there is none */
    int32_t (*more)[FACES];   /* row (of r + 1 dice) with one more such face */
    double *ways;             /* orders in which the row is thrown, out of 6^r; below 2^53 for r <= 18 */
} Throws;

static Throws THROWS[MAX_DICE + 2];

static double choose(int n, int k) {
    double value = 1;
    for (int i = 1; i <= k; i++) value = value * (n - k + i) / i;
    return value;
}

static int row_of(const uint8_t counts[FACES]) {
    int left = 0, row = 0;
    for (int f = 0; f < FACES; f++) left += counts[f];
    for (int f = 0; f < FACES - 1; f++) {
        left -= counts[f];
        if (left > 0) row += (int)(choose(left - 1 + FACES - 1 - f, FACES - 1 - f) + 0.5);
    }
    return row;
}

static int fill_rows(Throws *t, uint8_t counts[FACES], int face, int left, int row) {
    if (face == FACES - 1) {
        counts[face] = (uint8_t)left;
        memcpy(t->counts[row], counts, FACES);
        return row + 1;
    }
    for (int n = left; n >= 0; n--) {
        counts[face] = (uint8_t)n;
        row = fill_rows(t, counts, face + 1, left - n, row);
    }
    return row;
}

/* Builds the tables for all throws of up to MAX_DICE dice. Call once, before any thread. Returns 0, or -1 without memory. */
static int build_throws(void) {
    for (int r = 0; r <= MAX_DICE + 1; r++) {
        Throws *t = &THROWS[r];
        size_t rows = (size_t)(choose(r + FACES - 1, FACES - 1) + 0.5);
        uint8_t counts[FACES] = {0};
        t->counts = malloc(rows * sizeof *t->counts);
        t->less = malloc(rows * sizeof *t->less);
        t->more = malloc(rows * sizeof *t->more);
        t->ways = malloc(rows * sizeof *t->ways);
        if (!t->counts || !t->less || !t->more || !t->ways) return -1;
        t->rows = fill_rows(t, counts, 0, r, 0);
        for (int row = 0; row < t->rows; row++) {
            double ways = 1;
            int left = r;
            memcpy(counts, t->counts[row], FACES);
            for (int f = 0; f < FACES; f++) {
                ways *= choose(left, counts[f]);
                left -= counts[f];
                t->less[row][f] = -1;
                counts[f]++;
                t->more[row][f] = r <= MAX_DICE ? row_of(counts) : -1;
                counts[f]--;
                if (counts[f]) {
                    counts[f]--;
                    t->less[row][f] = row_of(counts);
                    counts[f]++;
                }
            }
            t->ways[row] = ways;
        }
    }
    return 0;
}

#endif
