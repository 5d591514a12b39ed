public import JSONKit

/// A text in several languages: an object with the language codes as names.
public struct TranslatedText: Hashable, IRMAMessage {
    /// The texts by language code.
    public var texts: [ExactText: String]

    /// Collects texts.
    public init(_ texts: [ExactText: String] = [:]) {
        self.texts = texts
    }

    /// The text in a language, or nil.
    public subscript(language: String) -> String? {
        get { texts[ExactText(language)] }
        set { texts[ExactText(language)] = newValue }
    }

    /// Reads the object.
    public init(json: JSONValue) throws(IRMAError) {
        texts = try json.map(key: ExactText.init) { json throws(IRMAError) in try json.text() }
    }

    /// The texts as an object.
    public func json() throws(IRMAError) -> JSONValue {
        try .map(texts, name: \.text) { text throws(IRMAError) in .string(text) }
    }
}

extension TranslatedText {
    /// A raw value as results show it: the same text in every language and under the empty name.
    public init(rawValue: String, languages: [String] = ["en", "nl"]) {
        self.init(
            Dictionary((languages + [""]).map { (ExactText($0), rawValue) }, uniquingKeysWith: { first, _ in first })
        )
    }
}
