/* Group leaves: leaves of Cilk programs that all lanes of a GPU's wavefront run together, for
 * example a base case that sorts or multiplies and takes one lane a thousand times as long. In C or
 * C++:
 *
 *     CHANNELS_FOR_GROUP static void scale_by_group(float* row, long size, float by) {
 *       for (long i = channels_lane(); i < size; i += channels_lanes()) row[i] *= by;
 *     }
 *     CHANNELS_GROUP_LEAF(scale_by_group)
 *     static void scale(float* row, long size, float by) {
 *       for (long i = 0; i < size; i++) row[i] *= by;
 *     }
 *     ...
 *       cilk_spawn scale(rows[i], size, by);
 *
 * On a GPU a spawned call of the leaf is a task that all lanes of a wavefront run together, by the
 * group function, with the same arguments; lane 0 returns the result. The group function comes
 * first and has the leaf's type. Everywhere else, and where the leaf is called and not spawned, the
 * leaf itself runs, so both have to do the same. Compilers other than cilk2chan need only this
 * file. */
#ifndef CHANNELS_GROUP_H
#define CHANNELS_GROUP_H

/* Stands before the group function, which nothing calls where there is no GPU. */
#if defined(__GNUC__)
#define CHANNELS_FOR_GROUP __attribute__((unused))
#else
#define CHANNELS_FOR_GROUP
#endif
/* Stands before the leaf. */
#if defined(__clang__)
#define CHANNELS_GROUP_LEAF(function) __attribute__((annotate("channels_group_leaf:" #function)))
#else
#define CHANNELS_GROUP_LEAF(function)
#endif

/* Stands before a plain `for` loop, and promises that no iteration stores what another one stores
 * or reads. In a leaf on a GPU the lanes of a wavefront then share the loop, also where cilk2chan
 * could not prove it. */
#define CHANNELS_INDEPENDENT

/* Calls for the group function. All lanes have to reach each call of the last two, and have to
 * return.
 *
 *     unsigned channels_lane(void)                 number of the calling lane, from 0
 *     unsigned channels_lanes(void)                number of lanes: a power of two, 1 on the host
 *     void channels_sync_lanes(void)               barrier: what each wrote before, all see after
 *     T channels_of_lane(T value, unsigned lane)   the value of that lane; T: int, unsigned, long,
 *                                                  unsigned long, float or double
 */
#if !defined(CHANNELS_GPU_PROGRAM) /* code for devices defines these itself */
static inline unsigned channels_lane(void) { return 0; }
static inline unsigned channels_lanes(void) { return 1; }
static inline void channels_sync_lanes(void) {}
#if defined(__cplusplus)
template <class T>
inline T channels_of_lane(T value, unsigned /*lane*/) {
  return value;
}
#else
static inline int channels_int_of_lane(int value, unsigned lane) { return (void)lane, value; }
static inline unsigned channels_unsigned_of_lane(unsigned value, unsigned lane) {
  return (void)lane, value;
}
static inline long channels_long_of_lane(long value, unsigned lane) { return (void)lane, value; }
static inline unsigned long channels_unsigned_long_of_lane(unsigned long value, unsigned lane) {
  return (void)lane, value;
}
static inline float channels_float_of_lane(float value, unsigned lane) { return (void)lane, value; }
static inline double channels_double_of_lane(double value, unsigned lane) {
  return (void)lane, value;
}
#define channels_of_lane(value, lane)                \
  _Generic((value),                                  \
      int: channels_int_of_lane,                     \
      unsigned: channels_unsigned_of_lane,           \
      long: channels_long_of_lane,                   \
      unsigned long: channels_unsigned_long_of_lane, \
      float: channels_float_of_lane,                 \
      double: channels_double_of_lane)((value), (lane))
#endif
#endif

#endif
