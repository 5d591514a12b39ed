public import JSONKit

extension SignedAccumulator: IdemixJSON {
    /// Reads the object `{"data", "pk"}`; the accumulator inside is not verified.
    public init(json: JSONValue) throws(IdemixError) {
        let members = try JSONMembers(json)
        self.init(
            data: try members.required("data") { json throws(IdemixError) in try json.base64() },
            keyCounter: try members.number("pk")
        )
    }

    /// The signed accumulator as an object.
    public func json() throws(IdemixError) -> JSONValue {
        var object = JSONObject()
        object["data"] = .string(JSONBase64.base64.encode(data))
        object["pk"] = .integer(keyCounter)
        return .object(object)
    }
}

extension RevocationUpdate: IdemixJSON {
    /// Reads the object `{"sacc", "e"?}`; nothing in it is verified.
    public init(json: JSONValue) throws(IdemixError) {
        let members = try JSONMembers(json)
        self.init(
            signedAccumulator: try members.required("sacc") { json throws(IdemixError) in
                try SignedAccumulator(json: json)
            },
            events: try members.optional("e") { json throws(IdemixError) in try RevocationEventList(json: json) }
        )
    }

    /// The update as an object.
    public func json() throws(IdemixError) -> JSONValue {
        var object = JSONObject()
        try object.write("sacc", signedAccumulator)
        try object.write("e", ifPresent: events)
        return .object(object)
    }
}

extension RevocationEventList: IdemixJSON {
    /// Reads the object `{"i", "hash", "e"}`.
    ///
    /// - Throws: The errors of ``init(firstIndex:firstParent:primes:)``, among the others.
    public init(json: JSONValue) throws(IdemixError) {
        let members = try JSONMembers(json)
        try self.init(
            firstIndex: members.number("i"),
            firstParent: members.required("hash") { json throws(IdemixError) in try RevocationEventHash(json: json) },
            primes: members.list("e") { json throws(IdemixError) in try BigInteger(json: json) }
        )
    }

    /// The list as an object.
    public func json() throws(IdemixError) -> JSONValue {
        var object = JSONObject()
        object["i"] = .integer(firstIndex)
        try object.write("hash", firstParent)
        try object.write("e", list: primes())
        return .object(object)
    }
}

extension RevocationEventHash: IdemixJSON {
    /// Reads a multihash in base64 with the URL-safe alphabet and padding.
    ///
    /// - Throws: The error of ``init(bytes:)``, among the others.
    public init(json: JSONValue) throws(IdemixError) {
        let text = try json.text()
        guard text.utf8.count == 48, text.hasSuffix(Self.padding) else {
            throw IdemixError(.malformedJSON, "a multihash has 48 characters of base64")
        }
        let bytes: [UInt8]
        do {
            bytes = try JSONBase64.base64url.decode(text.utf8.dropLast(Self.padding.utf8.count))
        } catch {
            throw IdemixError(.malformedJSON, "the text is not base64 with the URL-safe alphabet", cause: error)
        }
        try self.init(bytes: bytes)
    }

    /// The multihash in base64 with the URL-safe alphabet and padding.
    public func json() -> JSONValue { .string(JSONBase64.base64url.encode(bytes) + Self.padding) }

    /// The padding of 34 bytes.
    private static let padding = "=="
}
