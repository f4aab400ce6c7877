/* The chain of carom-bench: unit links, each joint turned against the one before; its tip strikes a plane of the ground. */
#ifndef CAROM_PEERS_CHAIN_H
#define CAROM_PEERS_CHAIN_H
#include <math.h>
#include <stdio.h>
#include <time.h>

static const double CHAIN_ROTATION[3] = {1.1, 0.3, 0.2}; /* rotation vector from link to joint */
static const double CHAIN_MASS = 1.3;                    /* kg */
static const double CHAIN_CENTER[3] = {0.5, 0.05, -0.03};
/* xx, yy, zz, xy, xz, yz about the mass centre, kg m^2 */
static const double CHAIN_INERTIA[6] = {0.02, 0.11, 0.12, 0.001, 0.002, -0.003};
static const double CHAIN_NORMAL[3] = {0.48, 0.64, 0.6};
static const int CHAIN_SIZES[5] = {2, 6, 8, 32, 512};

static double chain_position(int k) { return 0.3 + 0.1 * (k % 7); }
static double chain_velocity(int k) { return 0.5 - 0.1 * (k % 5); }

/* CPU time of this process in seconds. */
static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* The least CPU time of a call over several batches; `call` returns a number that must be used. */
#define BEST_TIME(best, call)                                      \
  do {                                                             \
    volatile double sink = 0;                                      \
    long batch = 1;                                                \
    double start = cpu_seconds();                                  \
    best = INFINITY;                                               \
    while (cpu_seconds() - start < 0.3) {                          \
      double from = cpu_seconds();                                 \
      for (long i = 0; i < batch; i++) sink += (call);             \
      double took = cpu_seconds() - from;                          \
      if (took / batch < best) best = took / batch;                \
      if (took < 0.005) batch *= 2;                                \
    }                                                              \
    (void)sink;                                                    \
  } while (0)
#endif
