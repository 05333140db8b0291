#define LAST 2
