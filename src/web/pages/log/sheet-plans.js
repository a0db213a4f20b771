// Finds the frequencies of CB channels in sheets, by the plan that the reader of the page chooses.
import { PLANS as ALL, readTuning } from "../../shared/words/tuning.js";

/**
 * Returns the frequency of a channel in MHz; null: the plan does not have the channel.
 * @param {string} channel such as 41 or 19A
 * @param {string} plan
 */
export function mhzOf(channel, plan) {
  const read = readTuning(channel, plan);
  return read?.channel && [plan, "a"].includes(read.channel.plan) ? read.channel.mhz : null;
}
/**
 * Returns the plans that have a channel, each with the frequency. If several plans have the same
 * frequency, returns only the first of these plans.
 * @param {string} channel
 */
export function plansOfChannel(channel) {
  const found = [...ALL].flatMap(([plan, { name }]) => {
    const mhz = mhzOf(channel, plan);
    return mhz ? [{ plan, name, mhz }] : [];
  });
  return found.filter(({ mhz }, at) => found.findIndex((one) => one.mhz === mhz) === at);
}
