static int keeps(int n) {
  static int kept;
  return kept += n;
}
