import JSONKit
import VerificationCore

/// The literal that a value object stands for, however it is written (JSON-LD 1.1 API, section 8.2).
struct LiteralForm: Hashable {
    let text: ExactText
    let datatype: ExactText
    let language: ExactText?

    /// The last parts of the names of numeric datatypes, in lower case.
    private static let numbers: Set<ExactText> = [
        "integer", "decimal", "double", "float", "long", "int", "short", "byte", "nonnegativeinteger",
        "positiveinteger",
        "nonpositiveinteger", "negativeinteger", "unsignedlong", "unsignedint", "unsignedshort", "unsignedbyte",
        "number",
    ]
    /// The longest text of a number that JSON could hold as well.
    private static let longestNumber = 64

    /// Reads a value object; nil for anything else.
    init?(_ object: JSONObject) {
        guard let value = object["@value"] else { return nil }
        let type = object["@type"]?.stringValue
        var language = object["@language"]?.stringValue?.lowercased()
        switch value {
        case _ where type == Keyword.json.rawValue:
            guard let bytes = try? value.canonicalized() else { return nil }
            (text, datatype) = (ExactText(String(decoding: bytes, as: UTF8.self)), RDFVocabulary.rdfJSON)
        case .bool(let value):
            (text, datatype) = (value ? "true" : "false", ExactText(type ?? RDFVocabulary.xsdBoolean))
        case .number(let number):
            guard let (form, type) = try? Self.form(of: number, type: type) else { return nil }
            (text, datatype) = (ExactText(form), ExactText(type))
        case .string(let value):
            text = ExactText(value)
            if let direction = object["@direction"]?.stringValue {
                datatype = ExactText(RDFVocabulary.i18n + (language ?? "") + "_" + direction)
                language = nil
            } else {
                datatype = type.map { ExactText($0) } ?? RDFVocabulary.xsdString
            }
        default: return nil
        }
        self.language = language.map { ExactText($0) }
    }

    /// The lexical form and datatype of a number.
    ///
    /// - Throws: An error of the number for one that is beyond double precision.
    static func form(of number: JSONNumber, type: String?) throws(JSONError) -> (text: String, type: String) {
        let isDouble = type?.hasSameBytes(as: RDFVocabulary.xsdDouble) ?? false
        if !isDouble, let integer = integerForm(number) { return (integer, type ?? RDFVocabulary.xsdInteger) }
        return (CanonicalDouble.text(of: try number.nearestDouble()), type ?? RDFVocabulary.xsdDouble)
    }

    /// The digits of a number without a fraction that is less than 10²¹, or nil.
    private static func integerForm(_ number: JSONNumber) -> String? {
        guard let integer = try? number.integer(as: Int128.self), integer.magnitude < 1_000_000_000_000_000_000_000
        else {
            return nil
        }
        return String(integer)
    }

    // MARK: Native values

    /// Returns `true` for the scalar that is taken of those that stand for one literal of a datatype: a number or truth value
    /// where its canonical text is that of the literal, else the text.
    ///
    /// Both have the same statement, so that a signature over the graph does not cover the choice.
    static func isUsual(_ value: JSONValue, type: String) -> Bool {
        switch value {
        case .string(let text): return native(text, type: type) == nil
        case .bool(let value): return native(value ? "true" : "false", type: type)?.boolValue != nil
        case .number(let number):
            guard let text = try? form(of: number, type: type).text else { return false }
            return native(text, type: type)?.numberValue != nil
        default: return true
        }
    }

    private static func localName(of type: String) -> ExactText {
        let name = type.utf8.reversed().prefix(24).prefix { $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "/") }
        return ExactText(String(decoding: name.reversed(), as: UTF8.self).lowercased())
    }

    /// Returns `true` for the datatypes that numbers and truth values have by themselves.
    static func isOwnType(_ type: String) -> Bool {
        [RDFVocabulary.xsdBoolean, RDFVocabulary.xsdInteger, RDFVocabulary.xsdDouble].contains {
            $0.hasSameBytes(as: type)
        }
    }

    /// The number or truth value with a lexical form, or nil.
    private static func native(_ text: String, type: String) -> JSONValue? {
        let name = localName(of: type)
        if name == "boolean" { return text == "true" ? true : text == "false" ? false : nil }
        guard numbers.contains(name), text.utf8.count <= longestNumber,
            text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
            let number = try? JSONNumber(text: text), (try? number.double()) != nil,
            let form = try? form(of: number, type: type).text, form.hasSameBytes(as: text)
        else { return nil }
        guard type.hasSameBytes(as: RDFVocabulary.xsdDouble) else { return .number(number) }
        return (try? JSONNumber(number.nearestDouble())).map { .number($0) }
    }

    /// The value object in the one form that readers get.
    ///
    /// Truth values and numbers whose datatype is their own are JSON values, and so are JSON literals; anything else is a
    /// text.
    static func normalized(_ object: JSONObject) -> JSONObject {
        guard let form = LiteralForm(object), object["@direction"] == nil else { return object }
        if form.datatype == RDFVocabulary.rdfJSON {
            guard let value = try? JSONValue(parsing: form.text.text.utf8) else { return object }
            return ["@value": value, "@type": .string(Keyword.json.rawValue)]
        }
        let datatype = form.datatype.text
        if isOwnType(datatype), let value = native(form.text.text, type: datatype) { return ["@value": value] }
        var normalized: JSONObject = ["@value": .string(form.text.text)]
        if let language = form.language {
            normalized["@language"] = .string(language.text)
        } else if form.datatype != RDFVocabulary.xsdString {
            normalized["@type"] = .string(datatype)
        }
        return normalized
    }
}
