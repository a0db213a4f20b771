// Finds the frequencies of CB channels in sheets: by the plan of the log, and otherwise by the plan
// that the reader of the page chooses.
import { PLANS as ALL, readTuning } from "../../shared/words/tuning.js";

/** @import { CbChannel } from "../types.js" */
/**
 * The plan of the log (empty: none is set), and the callsign from which the plan is then guessed.
 * Both are empty if they are unknown.
 * @typedef {{plan: string, callsign: string}} Owner
 */

/**
 * Returns a channel of a plan; null: the plan does not have the channel.
 * @param {string} channel such as 41 or 19A
 * @param {string} plan
 */
export function channelOf(channel, plan) {
  const read = readTuning(channel, plan)?.channel;
  return read && [plan, "a"].includes(read.plan) ? read : null;
}
/**
 * Returns the channel that a number means in a log; null: the plans that are possible differ.
 * @param {string} channel
 * @param {Owner} owner
 */
export function ownChannelOf(channel, { plan, callsign }) {
  if (plan) return channelOf(channel, plan);
  return callsign ? (readTuning(channel, "", callsign)?.channel ?? null) : null;
}
/**
 * Returns the plan and the number of a channel, such as DE 41, for the log's extra field. Returns
 * an empty text for the forty channels, which have the same frequencies in most countries.
 * @param {CbChannel} channel
 */
export function labelOf({ plan, name, mhz }) {
  if (channelOf(name, "eu")?.mhz === mhz && plan !== "a") return "";
  return plan === "a" ? name : `${plan.toUpperCase()} ${name}`;
}
/**
 * Returns the plans that have a channel, each with the frequency. If several plans have the same
 * frequency, returns only the first of these plans.
 * @param {string} channel
 */
export function plansOfChannel(channel) {
  const found = [...ALL].flatMap(([plan, { name }]) => {
    const mhz = channelOf(channel, plan)?.mhz;
    return mhz ? [{ plan, name, mhz }] : [];
  });
  return found.filter(({ mhz }, at) => found.findIndex((one) => one.mhz === mhz) === at);
}
