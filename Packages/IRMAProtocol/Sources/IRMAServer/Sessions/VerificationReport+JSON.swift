import JSONKit
import VerificationCore

extension VerificationReport {
    /// Writes the form that `Codable` gives the report, in a fraction of its time.
    ///
    /// - Returns: `false` for a time without a form in JSON; the text then is of no use.
    func write(to text: inout RecordText) -> Bool {
        guard let time = try? JSONNumber(time) else { return false }
        text.beginObject()
        text.write("verdict", verdict.rawValue)
        text.write("time", text: time.text.utf8)
        text.write("checks", list: checks) { check, text in check.write(to: &text) }
        if let refusal {
            text.name("refusal")
            refusal.write(to: &text)
        }
        if let deviations {
            text.write("deviations", list: deviations) { deviation, text in deviation.write(to: &text) }
        }
        var isComplete = true
        if let parts {
            text.write("parts", list: parts) { part, text in
                text.beginObject()
                text.write("name", part.name)
                text.name("verification")
                isComplete = part.verification.write(to: &text) && isComplete
                text.endObject()
            }
        }
        text.endObject()
        return isComplete
    }
}

extension VerificationReport.CheckEntry {
    fileprivate func write(to text: inout RecordText) {
        text.beginObject()
        text.write("check", check)
        text.write(path: path)
        text.write("result", result.rawValue)
        text.write("reason", ifPresent: reason)
        text.write("message", ifPresent: message)
        text.write("policy", ifPresent: policy)
        text.endObject()
    }
}

extension VerificationReport.RefusalEntry {
    fileprivate func write(to text: inout RecordText) {
        text.beginObject()
        text.write("check", check)
        text.write(path: path)
        text.write("reason", reason)
        text.write("message", message)
        text.write("isUnavailable", text: (isUnavailable ? "true" : "false").utf8)
        text.endObject()
    }
}

extension VerificationReport.DeviationEntry {
    fileprivate func write(to text: inout RecordText) {
        text.beginObject()
        text.write("tolerance", tolerance)
        text.write(path: path)
        text.write("message", ifPresent: message)
        text.endObject()
    }
}

extension RecordText {
    fileprivate mutating func write<Element>(
        _ name: String,
        list: [Element],
        _ write: (Element, inout RecordText) -> Void
    ) {
        self.name(name)
        beginArray()
        for element in list { write(element, &self) }
        endArray()
    }

    /// Writes the member `path`, or nothing for nil.
    fileprivate mutating func write(path: [String]?) {
        if let path { write("path", list: path) { name, text in text.write(name) } }
    }
}
