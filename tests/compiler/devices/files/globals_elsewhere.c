int factor = 11;
