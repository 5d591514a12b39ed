import JSONKit

/// Reads the members of an object in a type metadata document.
struct TypeMetadataReader {
    private let view: JSONView
    private let object: JSONObjectView

    init(_ view: JSONView) throws(SDJWTError) {
        self.view = view
        object = try reading(.malformedTypeMetadata) { () throws(JSONError) in try view.object() }
    }

    private func member<Value>(
        _ name: String,
        _ read: (JSONView) throws(JSONError) -> Value
    ) throws(SDJWTError) -> Value? {
        guard let view = object[name] else { return nil }
        return try reading(.malformedTypeMetadata) { () throws(JSONError) in try read(view) }
    }

    func string(_ name: String) throws(SDJWTError) -> String? {
        try member(name) { view throws(JSONError) in try view.string() }
    }

    func bool(_ name: String) throws(SDJWTError) -> Bool? {
        try member(name) { view throws(JSONError) in try view.bool() }
    }

    func value(_ name: String) throws(SDJWTError) -> JSONValue? {
        try member(name) { view throws(JSONError) in try view.value() }
    }

    func requiredString(_ name: String) throws(SDJWTError) -> String {
        guard let text = try string(name), !text.isEmpty else { throw failure("there is no \(name)") }
        return text
    }

    /// One of a few texts.
    func choice(_ name: String, of choices: Set<String>) throws(SDJWTError) -> String? {
        guard let text = try string(name) else { return nil }
        guard choices.contains(text) else { throw failure("\(name) is \"\(text)\"") }
        return text
    }

    func object(_ name: String) throws(SDJWTError) -> TypeMetadataReader? {
        guard let view = object[name] else { return nil }
        return try TypeMetadataReader(view)
    }

    func objects(_ name: String) throws(SDJWTError) -> [TypeMetadataReader]? {
        guard let array = try member(name, { view throws(JSONError) in try view.array() }) else { return nil }
        var readers: [TypeMetadataReader] = []
        for element in array { readers.append(try TypeMetadataReader(element)) }
        return readers
    }

    func integrity(_ name: String) throws(SDJWTError) -> IntegrityMetadata? {
        try string(name).map { IntegrityMetadata($0) }
    }

    /// The language of an entry: `locale`, or `lang` as drafts 05 to 11 of SD-JWT VC had it with the same meaning.
    ///
    /// Documents that were published under those drafts stay in use as long as their credentials, so that either is taken without
    /// a tolerance; `locale` counts where both are there.
    func locale() throws(SDJWTError) -> String {
        let names = [try string("locale"), try string("lang")]
        guard let locale = names.lazy.compactMap(\.self).first, !locale.isEmpty else {
            throw failure("there is no locale")
        }
        return locale
    }

    /// A URL of a picture: https or data.
    func imageURI() throws(SDJWTError) -> String {
        let uri = try requiredString("uri")
        guard ["https://", "data:"].contains(where: { uri.utf8.starts(with: $0.utf8) }) else {
            throw failure("uri is no https or data URL")
        }
        return uri
    }

    func failure(_ message: String) -> SDJWTError {
        SDJWTError(.malformedTypeMetadata, message, path: ["\(view.path)"])
    }
}
