/* Multisets of dice by number: every roll of r dice has a row number, and removing or adding a die is a table look-up.
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
    uint8_t (*counts)[FACES]; /* how often each face is in the row */
    int32_t (*less)[FACES];   /* row (of r - 1 dice) without one such face, -1 if there is none */
    int32_t (*more)[FACES];   /* row (of r + 1 dice) with one more such face */
    double *ways;             /* number of orders that give this row, out of 6^r; below 2^53 for r <= 18 */
} Throws;

static Throws THROWS[MAX_DICE + 2];

/* Multisets of `dice` dice with `faces` different faces: the binomial coefficient (dice + faces - 1 over dice). */
static int multisets(int dice, int faces) {
    static int32_t known[MAX_DICE + 3][FACES + 1];
    if (dice < 0) return 0;
    if (faces <= 1 || dice == 0) return 1;
    if (!known[dice][faces]) known[dice][faces] = multisets(dice, faces - 1) + multisets(dice - 1, faces);
    return known[dice][faces];
}

static int row_of(const uint8_t counts[FACES]) {
    int left = 0, row = 0;
    for (int f = 0; f < FACES; f++) left += counts[f];
    for (int f = 0; f < FACES - 1; f++) { /* the rows with more of this face, and the same before it, come earlier */
        left -= counts[f];
        row += multisets(left - 1, FACES - f);
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

/* The combinations of 2 or 3 dice with one sum: their faces, from 0. Only sums with several are listed. */
enum { MAX_SHAPES = 6 };

typedef struct {
    int n;
    int8_t dice[MAX_SHAPES][3];
} Shapes;

static Shapes SHAPES[4][16];

/* Number of sums of `k` dice (2 or 3) with several combinations: from k + 2 to 6 k - 2. */
static int n_sums(int k) { return 5 * k - 3; }

static void build_shapes(void) {
    for (int k = 2; k <= 3; k++)
        for (int sum = 0; sum < n_sums(k); sum++) {
            Shapes *of = &SHAPES[k][sum];
            of->n = 0;
            for (int x = 0; x < FACES; x++)
                for (int y = x; y < FACES; y++) {
                    int z = sum + 2 - x - y; /* the third face, from 0; with two dice the remainder */
                    if (k == 2 ? z != 0 : z < y || z >= FACES) continue;
                    const int8_t dice[3] = {(int8_t)x, (int8_t)y, (int8_t)z};
                    memcpy(of->dice[of->n++], dice, sizeof dice);
                }
        }
}

/* Builds the tables for the rolls of up to `most` dice, unless they exist. Not thread-safe.
 * Returns 0, or -1 without memory. */
static int build_throws(int most) {
    static int built = -1;
    if (built < 0) build_shapes();
    for (int r = built + 1; r <= most; r++) {
        Throws *t = &THROWS[r];
        size_t rows = (size_t)multisets(r, FACES);
        uint8_t counts[FACES] = {0};
        t->counts = malloc(rows * sizeof *t->counts);
        t->less = malloc(rows * sizeof *t->less);
        t->more = malloc(rows * sizeof *t->more);
        t->ways = malloc(rows * sizeof *t->ways);
        if (!t->counts || !t->less || !t->more || !t->ways) return -1;
        t->rows = fill_rows(t, counts, 0, r, 0);
        for (int row = 0; row < t->rows; row++) {
            double ways = 1;
            memcpy(counts, t->counts[row], FACES);
            for (int f = 0, placed = 0; f < FACES; f++) {
                for (int n = 1; n <= counts[f]; n++) ways = ways * ++placed / n; /* a binomial at every step */
                t->less[row][f] = -1;
                counts[f]++;
                t->more[row][f] = row_of(counts);
                counts[f]--;
                if (counts[f]) {
                    counts[f]--;
                    t->less[row][f] = row_of(counts);
                    counts[f]++;
                }
            }
            t->ways[row] = ways;
        }
        built = r;
    }
    return 0;
}

#endif
