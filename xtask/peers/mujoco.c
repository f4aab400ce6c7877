/* m_eff and T_c of a chain by MuJoCo's C library: M factorised sparsely, one row solved. Prints `chain N m_eff T_c seconds`. */
#include <mujoco/mujoco.h>
#include <stdlib.h>

#include "chain.h"

static mjModel* m;
static mjData* d;
static double *row, *x;
static int tip;

static double evaluate(double* mass, double* energy) {
  d->qvel[0] += 1e-9;
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_crb(m, d);
  mj_factorM(m, d);
  double point[3], jac[3];
  for (int i = 0; i < 3; i++) point[i] = d->xpos[3 * tip + i] + d->xmat[9 * tip + 3 * i];
  static double* jacp = NULL;
  static int size = 0;
  if (size != m->nv) {
    jacp = realloc(jacp, 3 * m->nv * sizeof(double));
    size = m->nv;
  }
  mj_jac(m, d, jacp, NULL, point, tip);
  double rate = 0;
  for (int k = 0; k < m->nv; k++) {
    for (int i = 0; i < 3; i++) jac[i] = jacp[i * m->nv + k];
    row[k] = CHAIN_NORMAL[0] * jac[0] + CHAIN_NORMAL[1] * jac[1] + CHAIN_NORMAL[2] * jac[2];
    rate += row[k] * d->qvel[k];
  }
  mj_solveM(m, d, x, row, 1);
  double mobility = 0;
  for (int k = 0; k < m->nv; k++) mobility += row[k] * x[k];
  *mass = 1 / mobility;
  *energy = 0.5 * *mass * rate * rate;
  return *mass + *energy;
}

int main(void) {
  double r = sqrt(CHAIN_ROTATION[0] * CHAIN_ROTATION[0] + CHAIN_ROTATION[1] * CHAIN_ROTATION[1] +
                  CHAIN_ROTATION[2] * CHAIN_ROTATION[2]);
  double s = sin(r / 2) / r;
  for (int size = 0; size < 5; size++) {
    int n = CHAIN_SIZES[size];
    mjSpec* spec = mj_makeSpec();
    spec->compiler.degree = 0;
    mjsBody* body = mjs_findBody(spec, "world");
    for (int k = 0; k < n; k++) {
      body = mjs_addBody(body, NULL);
      body->pos[0] = k > 0;
      body->quat[0] = cos(r / 2);
      for (int i = 0; i < 3; i++) {
        body->quat[1 + i] = s * CHAIN_ROTATION[i];
        body->ipos[i] = CHAIN_CENTER[i];
      }
      body->mass = CHAIN_MASS;
      for (int i = 0; i < 6; i++) body->fullinertia[i] = CHAIN_INERTIA[i];
      body->explicitinertial = 1;
      mjsJoint* joint = mjs_addJoint(body, NULL);
      joint->type = mjJNT_HINGE;
      joint->axis[0] = joint->axis[1] = 0;
      joint->axis[2] = 1;
    }
    m = mj_compile(spec, NULL);
    if (!m) {
      fprintf(stderr, "MuJoCo error: %s\n", mjs_getError(spec));
      return 1;
    }
    mj_deleteSpec(spec);
    d = mj_makeData(m);
    tip = m->nbody - 1;
    row = malloc(m->nv * sizeof(double));
    x = malloc(m->nv * sizeof(double));
    for (int k = 0; k < n; k++) {
      d->qpos[k] = chain_position(k);
      d->qvel[k] = chain_velocity(k);
    }
    d->qvel[0] -= 1e-9;
    double mass, energy, best, a, b;
    evaluate(&mass, &energy);
    BEST_TIME(best, evaluate(&a, &b));
    printf("chain %d %.17g %.17g %.9g\n", n, mass, energy, best);
    free(row);
    free(x);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  return 0;
}
