/* Solving a turn, once each for doubles, floats and exact integers: the includer defines NUM, ONE(e), TIMES(x, lift) and NAME(f).
 *
 * Best play between rolls, with `fresh` the value while nothing has been set aside since the last normal roll:
 *   fresh(A, K, C) = max of  met(A - f, K + f, C) for f in A;  fresh(A', K, C - c) for every use of a card c;  stopping if A is empty
 *   met(A, K, C)   = max of  fresh(A, K, C);  rolling A;  met(A', K, C - c) for every use of a card c
 *   roll(r, K, C)  = mean over the rolls A of r dice of fresh(A, K, C)
 * Dice are set aside one by one, which reaches every subset of A. Without a card that re-rolls (Fool, Merchant), a met turn that sets
 * nothing more aside can only add dice and roll: turning dice that are then rolled is a wasted card. So met = max(fresh, onward)
 * with onward(r, K, C) = max of roll(r, K, C) and onward(r + 1, K, C - adder), and no second matrix is needed.
 *
 * A use that changes nothing counts as a use: it wastes the card, so it is never better than not using it.
 * Cells of goals that the active dice alone secure are filled with one; at either end of a row they are skipped (`Span`).
 */

typedef struct {
    const NUM *cells;
    NUM lift; /* brings the numbers of the source to the denominator of the target */
} NAME(Source);
#define SOURCE NAME(Source)

#define EACH_OPEN(span, k) for (int k = (span).from; k < (span).to; k++)


static void NAME(raise)(NUM *restrict out, const NUM *restrict in, Span s) {
    EACH_OPEN(s, k) out[k] = out[k] > in[k] ? out[k] : in[k];
}

static void NAME(raise_lifted)(NUM *restrict out, const NUM *restrict in, Span s, NUM lift) {
    EACH_OPEN(s, k) {
        NUM x = TIMES(in[k], lift);
        out[k] = out[k] > x ? out[k] : x;
    }
}

static void NAME(add)(NUM *restrict out, const NUM *restrict in, Span s, NUM lift) {
    EACH_OPEN(s, k) out[k] += TIMES(in[k], lift);
}

static void NAME(fill)(NUM *out, int n, NUM value) {
    for (int k = 0; k < n; k++) out[k] = value;
}

/* One die turned: the best of `faces` that each smaller row allows, for every die that could have been there instead. */
static void NAME(turn_one)(Turn *t, Columns *c, int r, NUM *out, SOURCE src, int card, NUM *best) {
    const Throws *few = &THROWS[r - 1];
    int n = c->n;
    for (int b = 0; b < few->rows; b++) {
        const int32_t *more = few->more[b];
        const Span s = open_span(t, c, r - 1, b);
        if (card == MAID) {
            for (int f = 0; f < FACES; f++) {
                const Span target = open_span(t, c, r, more[f]);
                for (int g = f + 1; g <= f + 3 && g < FACES; g++)
                    NAME(raise_lifted)(out + (size_t)more[f] * n, src.cells + (size_t)more[g] * n, target, src.lift);
            }
            continue;
        }
        NAME(fill)(best + s.from, s.to - s.from, 0);
        for (int g = 0; g < FACES; g++) {
            const NUM *in = src.cells + (size_t)more[g] * n;
            if (card == FOOL) NAME(add)(best, in, s, src.lift);
            else if (card == MAGICIAN) NAME(raise_lifted)(best, in, s, src.lift);
            else /* ASTRONOMER */
                EACH_OPEN(s, k) {
                    NUM x = c->progress[k].count[g] ? TIMES(in[k], src.lift) : 0;
                    best[k] = best[k] > x ? best[k] : x;
                }
        }
        if (card == FOOL) EACH_OPEN(s, k) best[k] = SHARE(best[k], 1);
        for (int f = 0; f < FACES; f++) {
            const Span target = open_span(t, c, r, more[f]);
            NAME(raise)(out + (size_t)more[f] * n, best, target);
        }
    }
}

/* Pips moved among `k` (2 or 3) dice: the best dice of every sum, for all dice of that sum. */
static void NAME(move_pips)(Turn *t, Columns *c, int r, NUM *out, SOURCE src, int k, NUM *best) {
    const Throws *few = &THROWS[r - k];
    size_t n = (size_t)c->n;
    for (int b = 0; b < few->rows; b++) {
        const Span s = open_span(t, c, r - k, b);
        for (int sum = 0; sum < n_sums(k); sum++) {
            const Shapes *of = &SHAPES[k][sum];
            int rows[MAX_SHAPES];
            for (int i = 0; i < of->n; i++) {
                rows[i] = b;
                for (int die = 0; die < k; die++) rows[i] = THROWS[r - k + die].more[rows[i]][of->dice[i][die]];
            }
            NAME(fill)(best + s.from, s.to - s.from, 0);
            for (int i = 0; i < of->n; i++) NAME(raise_lifted)(best, src.cells + (size_t)rows[i] * n, s, src.lift);
            for (int i = 0; i < of->n; i++) NAME(raise)(out + (size_t)rows[i] * n, best, open_span(t, c, r, rows[i]));
        }
    }
}

/* Any number of dice raised by `step`, each once: face by face from 1 upwards, so that no die is raised twice. */
static void NAME(lift_many)(Turn *t, Columns *c, int r, NUM *out, SOURCE src, int step, NUM *work) {
    const Throws *all = &THROWS[r];
    int n = c->n;
    memcpy(work, src.cells, (size_t)all->rows * (size_t)n * sizeof *work);
    for (int f = 0; f + step < FACES; f++)
        for (int row = all->rows - 1; row >= 0; row--) {
            if (!all->counts[row][f]) continue;
            int raised = THROWS[r - 1].more[all->less[row][f]][f + step];
            const Span s = open_span(t, c, r, row);
            NAME(raise)(work + (size_t)row * n, work + (size_t)raised * n, s);
        }
    for (int row = 0; row < all->rows; row++) {
        const Span s = open_span(t, c, r, row);
        NAME(raise_lifted)(out + (size_t)row * n, work + (size_t)row * n, s, src.lift);
    }
}

/* The Merchant: `hold` dice stay, the others are re-rolled; then the best part to hold of every row, by dropping dice. */
static void NAME(reroll_any)(Turn *t, Columns *c, int r, NUM *out, SOURCE src, NUM *work) {
    int n = c->n;
    size_t start[MAX_DICE + 2] = {0};
    for (int j = 0; j <= r; j++) start[j + 1] = start[j] + (size_t)THROWS[j].rows * (size_t)n;
    for (size_t i = 0; i < (size_t)THROWS[r].rows * (size_t)n; i++) work[start[r] + i] = TIMES(src.cells[i], src.lift);
    for (int j = r - 1; j >= 0; j--)
        for (int b = 0; b < THROWS[j].rows; b++) {
            NUM *cell = work + start[j] + (size_t)b * n;
            NAME(fill)(cell, n, 0);
            for (int g = 0; g < FACES; g++) {
                const NUM *in = work + start[j + 1] + (size_t)THROWS[j].more[b][g] * n;
                for (int k = 0; k < n; k++) cell[k] += in[k];
            }
            /* every level is over 6 times the denominator of the level above it; all end over that of level 0 */
            for (int k = 0; k < n; k++) cell[k] = SHARE(cell[k], 1);
        }
    for (int j = 0; j <= r; j++) {
        NUM level = SIXES(j);
        for (int b = 0; b < THROWS[j].rows; b++) {
            NUM *cell = work + start[j] + (size_t)b * n;
            int whole = j == r;
            const Span s = open_span(t, c, j, b);
            if (!whole)
                EACH_OPEN(s, k) cell[k] = TIMES(cell[k], level);
            for (int f = 0; f < FACES; f++)
                if (j && THROWS[j].counts[b][f]) {
                    const NUM *in = work + start[j - 1] + (size_t)THROWS[j].less[b][f] * n;
                    if (whole) NAME(raise)(out + (size_t)b * n, in, s);
                    else NAME(raise)(cell, in, s);
                }
        }
    }
}

/* The odds after a use of `card`, seen from r active dice; `met` with the duty met. Lifted to denominator 6^e. */
static SOURCE NAME(source)(Turn *t, int left, int active, int met, int e, int spread) {
    Block *b = &t->sets[left].blocks[active];
    SOURCE s;
    if (!met || t->sets[left].chance) {
        s.cells = met ? b->met : b->fresh;
        s.lift = SIXES(e - spread - (met ? b->e_met : b->e_fresh));
        return s;
    }
    Columns *c = columns_of(t, left, active);
    NUM *cells = t->scratch[1], a = SIXES(b->e_met - b->e_fresh), z = SIXES(b->e_met - b->e_onward);
    const NUM *fresh = b->fresh, *onward = b->onward;
    for (int row = 0; row < THROWS[active].rows; row++)
        for (int k = 0; k < c->n; k++) {
            NUM x = TIMES(fresh[(size_t)row * c->n + k], a), y = TIMES(onward[k], z);
            cells[(size_t)row * c->n + k] = x > y ? x : y;
        }
    s.cells = cells;
    s.lift = SIXES(e - spread - b->e_met);
    return s;
}

/* Raises `out` by every use of every unused card. */
static void NAME(use_cards)(Turn *t, int set, int r, NUM *out, int e, int met) {
    Columns *c = columns_of(t, set, r);
    for (int i = 0; i < t->n_cards; i++) {
        int kind = t->cards[i].kind, left = without(t, set, i);
        if (left < 0 || (r == 0 && kind != ADDER)) continue;
        if (kind == ADDER) {
            SOURCE src = NAME(source)(t, left, r + 1, met, e, 0);
            for (int row = 0; row < THROWS[r].rows; row++) {
                const Span s = open_span(t, c, r, row);
                for (int f = 0; f < FACES; f++)
                    if (t->cards[i].faces >> f & 1)
                        NAME(raise_lifted)(out + (size_t)row * c->n, src.cells + (size_t)THROWS[r].more[row][f] * c->n, s, src.lift);
            }
            continue;
        }
        SOURCE src = NAME(source)(t, left, r, met, e, kind == FOOL ? 1 : kind == MERCHANT ? r : 0);
        NUM *work = t->scratch[0];
        switch (kind) {
        case PHILOSOPHER:
        case ALCHEMIST:
            if (r >= 2) NAME(move_pips)(t, c, r, out, src, kind == PHILOSOPHER ? 2 : at_most(r, 3), work);
            break;
        case NOBLEWOMAN:
        case NOBLEMAN:
            NAME(lift_many)(t, c, r, out, src, kind == NOBLEWOMAN ? 1 : 2, work);
            break;
        case MERCHANT:
            NAME(reroll_any)(t, c, r, out, src, work);
            break;
        case ASTRONOMER: { /* the set without the Astronomer no longer remembers faces */
            int n = columns_of(t, left, r)->n;
            NUM *wide = work + c->n;
            for (int row = 0; row < THROWS[r].rows; row++)
                for (int k = 0; k < c->n; k++) wide[(size_t)row * c->n + k] = src.cells[(size_t)row * n + c->forget[k]];
            src.cells = wide;
            NAME(turn_one)(t, c, r, out, src, kind, work);
            break;
        }
        default:
            NAME(turn_one)(t, c, r, out, src, kind, work);
        }
    }
}

/* Solves r active dice with one set of unused cards, after the sets with fewer cards and the blocks of fewer dice. */
static int NAME(solve_block)(Turn *t, int set, int r) {
    Unused *u = &t->sets[set];
    Block *b = &u->blocks[r], *fewer = r ? &u->blocks[r - 1] : NULL;
    Columns *c = columns_of(t, set, r), *after = r ? columns_of(t, set, r - 1) : NULL;
    const Throws *all = &THROWS[r];
    size_t n = (size_t)c->n;
    NUM *fresh = b->fresh = malloc((size_t)all->rows * n * sizeof(NUM)), one = ONE(b->e_fresh);
    NUM *roll = b->roll = malloc(n * sizeof(NUM)), *onward = b->onward = malloc(n * sizeof(NUM));
    NUM *later = t->scratch[0];
    if (!fresh || !roll || !onward) return -1;

    for (int row = 0; row < all->rows; row++) {
        NUM *cell = fresh + (size_t)row * n;
        const Span s = open_span(t, c, r, row);
        NAME(fill)(cell, (int)n, one);
        for (int g = 0; g < t->n_goals; g++)
            if (!(t->classes[t->secured[r][row]] >> g & 1)) NAME(fill)(cell + c->first[g], c->first[g + 1] - c->first[g], 0);
        cell[COLUMN_LOST] = 0;
        if (r == 0)
            EACH_OPEN(s, k) cell[k] = (NUM)(c->stop[k] * (double)one); /* an Exact is met or not: 0 or one */
    }
    for (int f = 0; f < FACES && r; f++) { /* set one such die aside */
        const NUM *rest = u->chance ? fewer->met : fewer->fresh, *rolled = fewer->onward;
        NUM lift = SIXES(b->e_fresh - (u->chance ? fewer->e_met : fewer->e_fresh)), lift_on = SIXES(b->e_fresh - fewer->e_onward);
        for (int k = 0; k < c->n; k++) later[k] = u->chance ? 0 : TIMES(rolled[c->keep[k][f]], lift_on);
        for (int k = 0; k < c->n; k++) t->keep[k] = c->keep[k][f];
        for (int row = 0; row < all->rows; row++) {
            if (!all->counts[row][f]) continue;
            NUM *cell = fresh + (size_t)row * n;
            const NUM *in = rest + (size_t)all->less[row][f] * (size_t)after->n;
            const Span s = open_span(t, c, r, row);
            EACH_OPEN(s, k) {
                NUM x = TIMES(in[t->keep[k]], lift);
                x = x > later[k] ? x : later[k];
                cell[k] = cell[k] > x ? cell[k] : x;
            }
        }
    }
    NAME(use_cards)(t, set, r, fresh, b->e_fresh, 0);

    NAME(fill)(roll, (int)n, 0);
    for (int row = 0; row < all->rows && r; row++) {
        NUM ways = (NUM)all->ways[row];
        for (size_t k = 0; k < n; k++) roll[k] += ways * fresh[(size_t)row * n + k];
    }
    for (size_t k = 0; k < n; k++) {
        roll[k] = SHARE(roll[k], r);
        onward[k] = TIMES(roll[k], SIXES(b->e_onward - b->e_roll));
    }
    for (int i = 0; i < t->n_cards; i++) {
        int left = is_adder(t, i) ? without(t, set, i) : -1;
        if (left < 0) continue;
        const Block *added = &t->sets[left].blocks[r + 1];
        const NUM *in = added->onward;
        NUM lift = SIXES(b->e_onward - added->e_onward);
        for (size_t k = 0; k < n; k++) {
            NUM x = TIMES(in[k], lift);
            onward[k] = onward[k] > x ? onward[k] : x;
        }
    }
    if (!u->chance) return 0;

    NUM *met = b->met = malloc((size_t)all->rows * n * sizeof(NUM));
    if (!met) return -1;
    for (int row = 0; row < all->rows; row++)
        for (size_t k = 0; k < n; k++) {
            NUM x = TIMES(fresh[(size_t)row * n + k], SIXES(b->e_met - b->e_fresh)), y = TIMES(onward[k], SIXES(b->e_met - b->e_onward));
            met[(size_t)row * n + k] = x > y ? x : y;
        }
    NAME(use_cards)(t, set, r, met, b->e_met, 1);
    return 0;
}

static int NAME(solve)(Turn *t) {
    for (int set = 0; set < n_sets(t); set++) {
        Unused *u = &t->sets[set];
        if (u->dice < 0 || u->same_as != set) continue;
        for (int r = 0; r <= u->dice - t->kept_dice; r++) {
            if (t->expired && t->expired()) return 1;
            if (NAME(solve_block)(t, set, r)) return -1;
        }
    }
    return 0;
}

#undef SOURCE
#undef EACH_OPEN
