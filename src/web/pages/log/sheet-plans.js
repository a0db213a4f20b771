// Finds the frequencies of CB channels in sheets, by the plan that the reader of the page chooses.
import { frequencyOfChannel } from "../../shared/words/channels.js";

export const PLANS = ["eu"];

/**
 * Returns the frequency of a channel in MHz; null: the plan does not have the channel.
 * @param {string} channel such as 41 or 19A
 * @param {string} plan
 */
export const mhzOf = (channel, plan) =>
  plan === "eu" ? frequencyOfChannel(Number(channel)) : null;
