// Lists the reasons for rejections of QSOs, in words, for the app and for the profile, which lists
// rejected QSOs from programs. Sentences from the service are not changed.

// Error codes, each with the API name of the field, and the fault.
/** @type {Record<string, [string | null, string]>} */
export const REJECTIONS = {
  CLIENT_ID_INVALID: ["clientId", "It must be a UUID."],
  CLIENT_ID_CONFLICT: ["clientId", "Another member's QSO already has it."],
  CONFLICT: [null, "The service has a newer version of this QSO."],
  NO_MATCH: [null, "The log has no such QSO."],
  DATETIME_INVALID: ["qsoAt", "It must be a date and time with a time zone."],
  LOCATOR_INVALID: [
    "dxLocator / myLocator",
    "It must be a locator of 4 or 6 characters, such as JO59jw.",
  ],
  FREQUENCY_FORMAT_INVALID: [
    "frequencyMhz",
    "It must be in MHz with three decimals, such as 27.555.",
  ],
  FREQUENCY_OUT_OF_BAND_11M: ["frequencyMhz", "It must be between 26.000 and 28.000 MHz."],
  CHANNEL_OUT_OF_RANGE: ["channel", "It must be between 1 and 16."],
  CTCSS_FORMAT_INVALID: ["ctcssTone", "It must be in Hz with one decimal, such as 88.5."],
  DCS_FORMAT_INVALID: ["dcsCode", "It must have three octal digits, such as 023 or D023N."],
  "GENERIC.INTERNAL_ERROR": [null, "The service couldn't save the QSO. The program can try again."],
};
