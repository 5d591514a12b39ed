/// An element of a description.
struct DescriptionXMLElement {
    let name: String
    var attributes: [String: String] = [:]
    var children: [DescriptionXMLElement] = []
    /// The text between the tags of the element itself.
    var text = ""

    /// The text without the space around it.
    var trimmedText: String {
        let isSpace: (Character) -> Bool = { $0.isWhitespace }
        let start = text.drop(while: isSpace)
        guard let end = start.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(start[...end])
    }

    /// The only child with a name, or nil.
    ///
    /// - Throws: ``IRMAError/Code/malformedDescription`` for two of them.
    func child(_ name: String) throws(IRMAError) -> DescriptionXMLElement? {
        let found = children.filter { $0.name == name }
        guard found.count <= 1 else {
            throw IRMAError(.malformedDescription, "the element occurs twice", path: [self.name, name])
        }
        return found.first
    }

    /// The text of the last child with a name, as the reference reads one that is repeated; nil if it is absent or empty.
    func optionalText(_ name: String) -> String? {
        guard let text = lastChild(name)?.trimmedText, !text.isEmpty else { return nil }
        return text
    }

    private func lastChild(_ name: String) -> DescriptionXMLElement? { children.last { $0.name == name } }

    /// The text of the last child with a name, which must be present.
    func requiredText(_ name: String) throws(IRMAError) -> String {
        guard let text = optionalText(name) else {
            throw IRMAError(.malformedDescription, "the element is missing or empty", path: [self.name, name])
        }
        return text
    }

    /// The truth value of the last child with a name; false if it is absent.
    func flag(_ name: String) throws(IRMAError) -> Bool {
        guard let text = optionalText(name) else { return false }
        return try Self.flag(text, at: [self.name, name])
    }

    /// The truth value of an attribute; false if it is absent.
    func flagAttribute(_ name: String) throws(IRMAError) -> Bool {
        guard let text = attributes[name] else { return false }
        return try Self.flag(text, at: [self.name, name])
    }

    private static func flag(_ text: String, at path: [String]) throws(IRMAError) -> Bool {
        switch text {
        case "true", "1": return true
        case "false", "0", "": return false
        default: throw IRMAError(.malformedDescription, "neither true nor false", path: path)
        }
    }

    /// The number of the last child with a name, or nil if it is absent.
    func number(_ name: String) throws(IRMAError) -> Int64? {
        guard let text = optionalText(name) else { return nil }
        guard let number = Int64(text) else {
            throw IRMAError(.malformedDescription, "no number", path: [self.name, name])
        }
        return number
    }

    /// The translated text of the last child with a name; empty if it is absent.
    func translated(_ name: String) throws(IRMAError) -> TranslatedText {
        var text = TranslatedText()
        for child in lastChild(name)?.children ?? [] {
            guard text[child.name] == nil else {
                throw IRMAError(.malformedDescription, "a language occurs twice", path: [self.name, name, child.name])
            }
            text[child.name] = child.trimmedText
        }
        return text
    }

    /// The version of a description, which has to be the least or a later one.
    func requireVersion(atLeast least: Int) throws(IRMAError) -> Int {
        guard let version = attributes["version"].flatMap({ Int($0) }), version >= least else {
            throw IRMAError(.malformedDescription, "the version is not \(least) or later", path: [name])
        }
        return version
    }
}
