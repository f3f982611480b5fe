/** Days from 1899-12-30, which is number 0 of the serial numbers after February 1900, to 1970-01-01. */
export const daysTo1970 = 25_569;
/** Days by which serial numbers that count from 1904 are lower. */
export const days1904 = 1_462;
