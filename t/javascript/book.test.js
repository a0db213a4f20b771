// Tests how the sheets of a workbook become rows of texts, and that hostile workbooks are refused.
import assert from "node:assert/strict";
import test from "node:test";
import { deflateRawSync } from "node:zlib";
import { dayText, formatOf, readBook } from "../../pages/sheet-book.js";
import { timeOf } from "../../pages/sheet-ods.js";
import { plainNumber } from "../../pages/sheet-rows.js";

const bytesOf = (text) => (typeof text === "string" ? Buffer.from(text) : text);

/**
 * Returns a ZIP file with these parts. A part can be deflated, as [content, stated size].
 */
function zipOf(parts) {
  const files = [];
  const entries = [];
  let at = 0;
  for (const [name, part] of Object.entries(parts)) {
    const [content, stated] = Array.isArray(part) ? part : [bytesOf(part), null];
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50);
    head.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50);
    entry.writeUInt16LE(stated === null ? 0 : 8, 10);
    entry.writeUInt32LE(content.length, 20);
    entry.writeUInt32LE(stated ?? content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    files.push(head, Buffer.from(name), content);
    entries.push(entry, Buffer.from(name));
    at += 30 + name.length + content.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(Object.keys(parts).length, 10);
  end.writeUInt32LE(at, 16);
  return new Uint8Array(Buffer.concat([...files, directory, end]));
}
const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const relationships = (...list) =>
  `${XML}<Relationships>${list.map(([id, type, target]) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`).join("")}</Relationships>`;
/** Returns the parts of an XLSX file with one sheet. */
const xlsx = (rows, { more = "", book = "", ...parts } = {}) => ({
  "[Content_Types].xml": XML,
  "_rels/.rels": relationships(["r1", "officeDocument", "xl/workbook.xml"]),
  "xl/workbook.xml": `${XML}<workbook>${book}<sheets><sheet name="Log" sheetId="1" r:id="r1"/>${more}</sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": relationships(
    ["r1", "worksheet", "worksheets/sheet1.xml"],
    ["r2", "worksheet", "/xl/worksheets/sheet2.xml"],
    ["r3", "styles", "styles.xml"],
    ["r4", "sharedStrings", "sharedStrings.xml"],
  ),
  "xl/worksheets/sheet1.xml": `${XML}<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  ...parts,
});
const STYLES = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm"/><numFmt numFmtId="165" formatCode="0000"/></numFmts>
<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="20"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`;
const rowsOf = async (parts) => (await readBook(zipOf(parts)))[0].rows;
const refused = (parts, kind) => assert.rejects(readBook(zipOf(parts)), { kind });

test("cells of XLSX are texts as the sheet shows them", async () => {
  const rows = await rowsOf(
    xlsx(
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>Q&amp;A</t></is></c></row>' +
        '<row r="3"><c t="str"><f>A1&amp;"x"</f><v>x</v></c><c s="1"><v>46353</v></c><c s="2"><v>0.50208333333333333</v></c>' +
        '<c s="3"><v>46353.502083333333</v></c><c s="4"><v>900</v></c><c><v>27.555000000000003</v></c>' +
        '<c><v>1.4E11</v></c><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c t="d"><v>2026-11-27T12:03:00Z</v></c></row>',
      {
        "xl/styles.xml": STYLES,
        "xl/sharedStrings.xml":
          '<sst><si><r><t>Ruf</t></r><r><t xml:space="preserve">zeichen </t></r><rPh sb="0" eb="1"><t>x</t></rPh></si></sst>',
      },
    ),
  );
  assert.deepEqual(rows, [
    ["Rufzeichen ", "", "Q&A"],
    [],
    [
      ...["x", "2026-11-27", "12:03:00", "2026-11-27 12:03:00", "0900", "27.555"],
      ...["140000000000", "TRUE", "#N/A", "2026-11-27 12:03:00"],
    ],
  ]);
});
test("a workbook can count its days from 1904", async () => {
  const parts = xlsx('<row><c s="1"><v>44891</v></c></row>', {
    book: '<workbookPr date1904="1"/>',
    "xl/styles.xml": STYLES,
  });
  assert.deepEqual(await rowsOf(parts), [["2026-11-27"]]);
});
test("each visible sheet with rows is read", async () => {
  const second = "<worksheet><sheetData><row><c><v>2</v></c></row></sheetData></worksheet>";
  const parts = { "xl/worksheets/sheet2.xml": second };
  const more = '<sheet name="Second" r:id="r2"/><sheet name="No part" r:id="r9"/>';
  const all = await readBook(zipOf(xlsx("<row><c><v>1</v></c></row>", { more, ...parts })));
  assert.deepEqual(all, [
    { name: "Log", rows: [["1"]] },
    { name: "Second", rows: [["2"]] },
  ]);
  const hidden = '<sheet name="Second" state="veryHidden" r:id="r2"/>';
  assert.deepEqual(await readBook(zipOf(xlsx("", { more: hidden, ...parts }))), []);
});
test("cells of ODS are texts as the sheet shows them", async () => {
  const cell = (attributes, text) => `<table:table-cell ${attributes}>${text}</table:table-cell>`;
  const content = `${XML}<office:document-content><office:body><office:spreadsheet><table:table table:name="Log">
    <table:table-row>${cell("", "<text:p>Jürgen<text:s text:c='2'/><text:span>&lt;x&gt;</text:span></text:p><text:p><text:a>y</text:a></text:p>")}
    ${cell('office:value-type="date" office:date-value="2026-11-27"', "<text:p>27.11.26</text:p>")}
    ${cell('office:value-type="date" office:date-value="2026-11-27T12:03:00.5"', "<text:p>x</text:p>")}
    ${cell('office:value-type="time" office:time-value="PT9H03M00S"', "<text:p>x</text:p>")}
    ${cell('office:value-type="float" office:value="900"', "<text:p>0900</text:p>")}
    ${cell('office:value-type="float" office:value="27.555"', "<office:annotation><text:p>note</text:p></office:annotation><text:p>27,6</text:p>")}
    ${cell('table:number-columns-repeated="2"', "<text:p>z</text:p>")}<table:table-cell table:number-columns-repeated="16376"/></table:table-row>
    <table:table-row table:number-rows-repeated="2"><table:table-cell/></table:table-row>
    <table:table-row>${cell("", "<text:p>end</text:p>")}</table:table-row>
    <table:table-row table:number-rows-repeated="1048572"><table:table-cell/></table:table-row>
    </table:table></office:spreadsheet></office:body></office:document-content>`;
  assert.deepEqual(await rowsOf({ mimetype: "x", "content.xml": content }), [
    [
      ...["Jürgen  <x>\ny", "2026-11-27", "2026-11-27 12:03:00", "09:03:00", "0900", "27.555"],
      ...["z", "z"],
    ],
    [],
    [],
    ["end"],
  ]);
  const bare = (row) =>
    `<office:spreadsheet><table:table table:name="">${row}</table:table></office:spreadsheet>`;
  const repeated = `<table:table-row table:number-rows-repeated="1000000">${cell("", "<text:p>x</text:p>")}</table:table-row>`;
  await refused({ "content.xml": bare(repeated) }, "rows");
  const wide = `<table:table-row>${cell('table:number-columns-repeated="16000"', "<text:p>x</text:p>")}</table:table-row>`;
  await refused({ "content.xml": bare(wide) }, "columns");
  const full = `<table:table-row table:number-rows-repeated="100000">${cell('table:number-columns-repeated="250"', "<text:p>x</text:p>")}</table:table-row>`;
  await refused({ "content.xml": bare(full) }, "bytes");
});
test("a sheet that is too large is refused", async () => {
  await refused(xlsx('<row r="1"><c r="XFD1"><v>1</v></c></row>'), "columns");
  await refused(xlsx('<row r="1048576"><c><v>1</v></c></row>'), "rows");
  await refused(xlsx("<row><c><v>1</v></c></row>".repeat(100001)), "rows");
  assert.deepEqual(await readBook(zipOf(xlsx('<row r="1048576"><c r="XFD1"/></row>'))), []);
  const more = '<sheet name="Again" r:id="r1"/>'.repeat(50);
  await refused(xlsx('<row r="100000"><c><v>1</v></c></row>', { more }), "bytes");
  await refused(xlsx("", { "xl/styles.xml": `<styleSheet>${" ".repeat(9 << 20)}` }), "bytes");
});
test("a workbook that is damaged, or has a document type, is refused", async () => {
  const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>';
  const sheet = (xml) => ({ ...xlsx(""), "xl/worksheets/sheet1.xml": xml });
  await refused(sheet(`${XML}${bomb}<worksheet>&b;</worksheet>`), "unreadable");
  await refused(sheet("<worksheet><sheetData><row>"), "unreadable");
  await refused(sheet(Buffer.from([0x3c, 0x61, 0xff, 0x3e])), "unreadable");
  await refused(xlsx('<row r="2"/><row r="1"/>'), "unreadable");
  await refused({ "word/document.xml": XML }, "kind");
  const whole = zipOf(xlsx("<row><c><v>1</v></c></row>"));
  for (let length = 0; length < whole.length; length += 7)
    await assert.rejects(readBook(whole.slice(0, length)), { kind: "unreadable" });
  for (let at = 0; at < whole.length; at += 5) {
    const damaged = whole.slice();
    damaged[at] ^= 0xff;
    await readBook(damaged).catch(({ kind }) =>
      assert.match(kind ?? "none", /^(?:unreadable|kind|bytes|rows|columns)$/),
    );
  }
});
/** @type {string | false} */
let skip = false;
try {
  new DecompressionStream("deflate-raw");
} catch {
  skip = "this version of node cannot unpack ZIP files as browsers do";
}
test(
  "a part is unpacked, and a ZIP bomb is refused, whatever size it states",
  { skip },
  async () => {
    const sheet = Buffer.from(
      "<worksheet><sheetData><row><c><v>7</v></c></row></sheetData></worksheet>",
    );
    const parts = (part) => ({ ...xlsx(""), "xl/worksheets/sheet1.xml": part });
    assert.deepEqual(await rowsOf(parts([deflateRawSync(sheet), sheet.length])), [["7"]]);
    const bomb = deflateRawSync(Buffer.alloc(80 << 20, " "));
    await refused(parts([bomb, 10]), "bytes");
    await refused(parts([bomb, 80 << 20]), "bytes");
    await refused(parts([bomb.subarray(0, 1000), 10]), "unreadable");
  },
);
test("numbers, formats and times have one form", () => {
  assert.deepEqual([0.1 + 0.2, 1e21, 2.6e102, 1e-7, -5].map(plainNumber), [
    ...["0.3", "1000000000000000000000", `26${"0".repeat(101)}`, "0.0000001", "-5"],
  ]);
  const kinds = (code) => {
    const { isDate, isTime } = formatOf(code);
    return `${isDate ? "d" : ""}${isTime ? "t" : ""}`;
  };
  assert.deepEqual(
    [
      "yyyy-mm-dd",
      "[$-407]d/\\ mmm",
      "mmm",
      "h:mm AM/PM",
      "mm:ss.0",
      "[h]:mm",
      "yyyy/m/d h:mm",
      'General;"d"',
      '0.0" days"',
      "[Red]0",
    ].map(kinds),
    ["d", "d", "d", "t", "t", "t", "dt", "", "", ""],
  );
  assert.equal(dayText(46353.25, { isDate: true, isTime: false }, false), "2026-11-27 06:00:00");
  assert.equal(dayText(46353.25, { isDate: false, isTime: true }, false), "06:00:00");
  assert.equal(dayText(1e12, { isDate: true, isTime: false }, false), "1000000000000");
  assert.equal(timeOf("PT9H03M00S"), "09:03:00");
});
