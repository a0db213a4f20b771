// Converts and changes frequencies on 11 m: texts in MHz with three decimals, as the service
// requires. tuning.js reads channels.

export const CALLING_MHZ = ["27.555", "27.185", "26.285"];

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
  return /^\d{1,3}\.\d{1,3}$/.test(typed) ? Number(typed).toFixed(3) : null;
}
/**
 * @param {string} text
 * @param {number} khz
 */
export function stepFrequency(text, khz) {
  const frequency = readFrequency(text) ?? CALLING_MHZ[0];
  return formatMhz(Math.min(28000, Math.max(26000, Math.round(Number(frequency) * 1000) + khz)));
}
