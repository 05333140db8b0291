/* Gravity by the method of Barnes and Hut. Bodies are inserted one by one into an octree whose
 * cells come from a pool; centres of mass go up the tree in parallel, and each body then walks down
 * it for its force. Cells and bodies begin alike, so that a child can be either. */
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

#define NDIM 3
#define NSUB (1 << NDIM)

#define BODY 1
#define CELL 2

typedef double vector[NDIM];

typedef struct node {
  short type;
  double mass;
  vector pos;
} node, *nodeptr;

typedef struct {
  node head;
  vector vel;
  vector acc;
  double phi;
  int visited; /* nodes that the force came from */
} body, *bodyptr;

typedef struct {
  node head;
  nodeptr sub[NSUB];
} cell, *cellptr;

#define Type(x) (((nodeptr)(x))->type)
#define Mass(x) (((nodeptr)(x))->mass)
#define Pos(x) (((nodeptr)(x))->pos)

#define DOT(a, b) ((a)[0] * (b)[0] + (a)[1] * (b)[1] + (a)[2] * (b)[2])

static int nbody = 1000;
static const double tol = 0.7, eps = 0.02, dtime = 0.01;
static body* bodies;

static cell* pool;
static int cells_used, cells_max;
static cellptr root;
static vector rmin;
static double rsize;

static double random_unit(void) {
  static unsigned seed = 123;
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) / 16777216.0;
}

/* A Plummer sphere would need pow(): these are denser in the middle, too. */
static void make_bodies(void) {
  for (int i = 0; i < nbody; i++) {
    bodyptr p = &bodies[i];
    double r;
    Type(p) = BODY;
    Mass(p) = 1.0 / nbody;
    do {
      for (int k = 0; k < NDIM; k++) Pos(p)[k] = 2 * random_unit() - 1;
      r = DOT(Pos(p), Pos(p));
    } while (r > 1);
    for (int k = 0; k < NDIM; k++) {
      Pos(p)[k] *= r;
      p->vel[k] = 0.2 * (random_unit() - 0.5);
    }
  }
}

static cellptr make_cell(void) {
  if (cells_used == cells_max) {
    fprintf(stderr, "barneshut: more than %d cells\n", cells_max);
    exit(1);
  }
  cellptr c = &pool[cells_used++];
  memset(c, 0, sizeof(cell));
  Type(c) = CELL;
  return c;
}

static int octant(const double* pos, const double* middle) {
  int o = 0;
  for (int k = 0; k < NDIM; k++)
    if (pos[k] >= middle[k]) o |= 1 << k;
  return o;
}

static void load(bodyptr p) {
  vector middle;
  double size = rsize / 2;
  cellptr c = root;
  for (int k = 0; k < NDIM; k++) middle[k] = rmin[k] + size;
  for (;;) {
    int o = octant(Pos(p), middle);
    nodeptr there = c->sub[o];
    size /= 2;
    for (int k = 0; k < NDIM; k++) middle[k] += o >> k & 1 ? size : -size;
    if (there == NULL) {
      c->sub[o] = (nodeptr)p;
      return;
    }
    if (Type(there) == BODY) {
      cellptr lower = make_cell();
      lower->sub[octant(Pos(there), middle)] = there;
      c->sub[o] = (nodeptr)lower;
      there = (nodeptr)lower;
    }
    c = (cellptr)there;
  }
}

static void make_tree(void) {
  double most = 0;
  for (int i = 0; i < nbody; i++)
    for (int k = 0; k < NDIM; k++)
      if (fabs(Pos(&bodies[i])[k]) > most) most = fabs(Pos(&bodies[i])[k]);
  rsize = 2.0002 * most;
  for (int k = 0; k < NDIM; k++) rmin[k] = -rsize / 2;
  cells_used = 0;
  root = make_cell();
  for (int i = 0; i < nbody; i++) load(&bodies[i]);
}

/* Mass and centre of a cell from those of its parts. Returns the bodies in it. */
static int centre_of_mass(nodeptr q) {
  int count[NSUB], total = 0;
  if (Type(q) == BODY) return 1;
  cellptr c = (cellptr)q;
  for (int i = 0; i < NSUB; i++) {
    count[i] = 0;
    if (c->sub[i]) count[i] = cilk_spawn centre_of_mass(c->sub[i]);
  }
  cilk_sync;
  for (int i = 0; i < NSUB; i++) {
    nodeptr r = c->sub[i];
    if (!r) continue;
    total += count[i];
    Mass(c) += Mass(r);
    for (int k = 0; k < NDIM; k++) Pos(c)[k] += Mass(r) * Pos(r)[k];
  }
  for (int k = 0; k < NDIM; k++) Pos(c)[k] /= Mass(c);
  return total;
}

static void add_force(bodyptr p, nodeptr q, const double* dr, double drsq) {
  double drabs, phii, mor3;
  drsq += eps * eps;
  drabs = sqrt(drsq);
  phii = Mass(q) / drabs;
  mor3 = phii / drsq;
  p->phi -= phii;
  for (int k = 0; k < NDIM; k++) p->acc[k] += mor3 * dr[k];
  p->visited++;
}

/* dsq: the square of the distance from which on a node of q's size counts as one. */
static void walk_sub(nodeptr q, bodyptr p, double dsq) {
  vector dr;
  if (q == (nodeptr)p) return;
  for (int k = 0; k < NDIM; k++) dr[k] = Pos(q)[k] - Pos(p)[k];
  double drsq = DOT(dr, dr);
  if (Type(q) == CELL && drsq < dsq) {
    for (int i = 0; i < NSUB; i++)
      if (((cellptr)q)->sub[i]) walk_sub(((cellptr)q)->sub[i], p, dsq / 4);
  } else {
    add_force(p, q, dr, drsq);
  }
}

static void gravity(bodyptr p) {
  p->phi = 0;
  p->visited = 0;
  memset(p->acc, 0, sizeof(p->acc));
  walk_sub((nodeptr)root, p, rsize * rsize / (tol * tol));
}

static int step(void) {
  int found;
  make_tree();
  found = centre_of_mass((nodeptr)root);
  cilk_for (int i = 0; i < nbody; i++) gravity(&bodies[i]);
  cilk_for (int i = 0; i < nbody; i++) {
    bodyptr p = &bodies[i];
    for (int k = 0; k < NDIM; k++) {
      p->vel[k] += dtime * p->acc[k];
      Pos(p)[k] += dtime * p->vel[k];
    }
  }
  return found;
}

/* The root of the mean square of errors of forces, relative to the forces. */
static double error(void) {
  double wrong = 0, size = 0;
  make_tree();
  centre_of_mass((nodeptr)root);
  for (int i = 0; i < nbody; i += nbody / 50 + 1) {
    body exact = bodies[i];
    gravity(&bodies[i]);
    memset(exact.acc, 0, sizeof(exact.acc));
    for (int j = 0; j < nbody; j++) {
      vector dr;
      if (j == i) continue;
      for (int k = 0; k < NDIM; k++) dr[k] = Pos(&bodies[j])[k] - Pos(&exact)[k];
      add_force(&exact, (nodeptr)&bodies[j], dr, DOT(dr, dr));
    }
    for (int k = 0; k < NDIM; k++) {
      double d = exact.acc[k] - bodies[i].acc[k];
      wrong += d * d;
    }
    size += DOT(exact.acc, exact.acc);
  }
  return sqrt(wrong / size);
}

int main(int argc, char** argv) {
  int steps = 3, found = 0, good;
  long visited = 0;
  double kinetic = 0, potential = 0;

  argc = timing_option(argc, argv);
  if (argc > 1) nbody = atoi(argv[1]);
  if (argc > 2) steps = atoi(argv[2]);
  if (nbody < 2) {
    fprintf(stderr, "Usage: barneshut [-t] [<bodies> [<steps>]]\n");
    return 1;
  }
  bodies = calloc(nbody, sizeof(body));
  cells_max = 4 * nbody + 64;
  pool = malloc(cells_max * sizeof(cell));
  make_bodies();

  timing_begin();
  for (int s = 0; s < steps; s++) found = step();
  timing_end();

  for (int i = 0; i < nbody; i++) {
    kinetic += 0.5 * Mass(&bodies[i]) * DOT(bodies[i].vel, bodies[i].vel);
    potential += 0.5 * Mass(&bodies[i]) * bodies[i].phi;
    visited += bodies[i].visited;
  }
  good = found == nbody && error() < 0.05;
  printf("barneshut of %d, %d steps: %ld nodes seen, kinetic %.9f, potential %.9f, %s\n", nbody,
         steps, visited, kinetic, potential, good ? "close" : "NOT CLOSE");
  free(pool);
  free(bodies);
  return good ? 0 : 1;
}
