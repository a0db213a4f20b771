// Converts frequencies and CB channels on 11 m, and lists the usual frequencies and tones.
// Frequencies are texts in MHz with three decimals, as the service requires.

// The 40 channels of CEPT: five places in the 10 kHz grid are reserved for radio control, and
// channels 23 to 25 are out of order.
const LOWEST_KHZ = 26965;
const LEFT_OUT_KHZ = [26995, 27045, 27095, 27145, 27195];
const OUT_OF_ORDER = [27255, 27235, 27245];
const CHANNELS_KHZ = [...Array(50).keys()]
  .map((place) => LOWEST_KHZ + place * 10)
  .filter((khz) => !LEFT_OUT_KHZ.includes(khz))
  .slice(0, 40);
CHANNELS_KHZ.splice(22, 3, ...OUT_OF_ORDER);

export const CALLING_MHZ = ["27.555", "27.185", "26.285"];
export const TONES_HZ = (
  "67.0 71.9 74.4 77.0 79.7 82.5 85.4 88.5 91.5 94.8 97.4 100.0 103.5 107.2 110.9 114.8 118.8 123.0 " +
  "127.3 131.8 136.5 141.3 146.2 151.4 156.7 162.2 167.9 173.8 179.9 186.2 192.8 203.5 210.7 218.1 " +
  "225.7 233.6 241.8 250.3"
).split(" ");

/** @param {number} khz */
function formatMhz(khz) {
  return (khz / 1000).toFixed(3);
}

/**
 * Returns a typed frequency in MHz with three decimals. The text 27.555, 27,555, 27555 or 555
 * becomes "27.555". Returns null if the text is invalid.
 * @param {string} text
 */
export function readFrequency(text) {
  const typed = text.trim().replace(",", ".");
  if (/^\d{3}$/.test(typed)) return `27.${typed}`;
  if (/^\d{5}$/.test(typed)) return formatMhz(Number(typed));
  return /^\d{1,3}(\.\d{1,3})?$/.test(typed) ? Number(typed).toFixed(3) : null;
}
/**
 * @param {string} text
 * @param {number} khz
 */
export function stepFrequency(text, khz) {
  const frequency = readFrequency(text) ?? CALLING_MHZ[0];
  return formatMhz(Math.min(28000, Math.max(26000, Math.round(Number(frequency) * 1000) + khz)));
}
/**
 * Returns the frequency of a CB channel, 1 to 40; null: the channel does not exist.
 * @param {number} channel
 */
export function frequencyOfChannel(channel) {
  const khz = CHANNELS_KHZ[channel - 1];
  return khz ? formatMhz(khz) : null;
}
/**
 * @param {string} text
 * @returns {number | null} 1 to 40
 */
export function channelOfFrequency(text) {
  return CHANNELS_KHZ.indexOf(Math.round(Number(readFrequency(text)) * 1000)) + 1 || null;
}
