// The front page: complete without this file, which speaks the reader's language.
import "./page.js";
