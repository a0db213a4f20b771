// Shows and sets the plan of CB channels in the app's settings. The plan is on the service, so all
// devices agree; the app keeps a copy for offline use.
import { findAs } from "../../shared/page.js";
import { say } from "../../shared/language.js";
import { remember } from "../../shared/logs.js";
import { formatQuery } from "../../shared/query.js";
import { change, explain } from "../../shared/service.js";
import { offerPlans } from "../../shared/form/tuning-fields.js";

/** @import { App } from "../types.js" */

const choice = () => findAs("plan", HTMLSelectElement);

/** @param {App} app */
export const showPlan = (app) => offerPlans(choice(), app.plan);
/**
 * Sets the chosen plan, and shows the outcome. Only a signed-in browser may change settings, and
 * this device's log can belong to another member.
 * @param {App} app
 */
export async function setPlan(app) {
  const { value: channelPlan } = choice();
  if (channelPlan !== app.plan) {
    try {
      await change(`channel-plan?${formatQuery({ log: app.callsign })}`, { channelPlan });
    } catch (refusal) {
      showPlan(app);
      app.tell(explain(refusal), "bad");
      return;
    }
    remember("plan", channelPlan);
    app.form.changed();
  }
  app.announce(say("Kept"));
}
