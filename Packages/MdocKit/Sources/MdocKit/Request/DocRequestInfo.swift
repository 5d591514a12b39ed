public import CBORKit

/// More conditions of a document request (ISO/IEC 18013-5 second edition, 10.2.5).
public struct DocRequestInfo: Sendable {
    /// The alternatives that the reader takes for single elements.
    public var alternativeDataElements: [AlternativeDataElements] = []
    /// The authority key identifiers of the issuers that the reader takes; empty for all.
    public var issuerIdentifiers: [[UInt8]] = []
    /// Indicates that there must be exactly one answer.
    public var uniqueDocSetRequired: Bool?
    /// The largest unencrypted response in bytes that the reader takes.
    public var maximumResponseSize: UInt64?
    /// The zero-knowledge systems that the reader takes.
    public var zkRequest: ZkRequest?
    /// EncryptionParametersBytes: the tag-24 item that says to whom the answer is encrypted.
    public var docResponseEncryption: [UInt8]?
    /// The members that the standard leaves to applications, by their names, in the order in which they were read or added.
    ///
    /// ``ItemsRequest`` refuses a key that is no text, that occurs twice, or that is a name of the standard.
    public var extensions: CBORMap = [:]

    /// Creates empty conditions; set at least one before use, since the standard forbids an empty structure.
    public init() {}

    /// Refuses a structure that a reader must not send with its request (10.2.4).
    func requireForm(in nameSpaces: DataElements<Bool>) throws(MdocError) {
        guard memberCount > 0 else {
            throw MdocError(.invalidValue, "requestInfo must hold at least one condition", path: ["requestInfo"])
        }
        try extensions.requireExtensions(besides: Self.names, path: ["requestInfo"])
        for alternative in alternativeDataElements {
            let element = alternative.requestedElement
            for other in alternative.alternativeElementSets.joined() { try other.requireNames() }
            guard nameSpaces[element.nameSpace, element.identifier] != nil else {
                throw MdocError(
                    .invalidValue,
                    "alternatives for \(element.identifier), which is not requested",
                    path: ["requestInfo", "alternativeDataElements"]
                )
            }
        }
    }

    private var memberCount: Int {
        [
            !alternativeDataElements.isEmpty, !issuerIdentifiers.isEmpty, uniqueDocSetRequired != nil,
            maximumResponseSize != nil, zkRequest != nil, docResponseEncryption != nil,
        ].count { $0 } + extensions.count
    }

    /// The members that the standard defines.
    private static let names: Set<String> = [
        "alternativeDataElements", "issuerIdentifiers", "uniqueDocSetRequired", "maximumResponseSize", "zkRequest",
        "docResponseEncryption",
    ]
}

extension DocRequestInfo: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        if map.count == 0 { try reading.tolerate(.emptyMember, at: view) }
        let limit = reading.options.limits.elements
        alternativeDataElements = try reading.optionalList(
            map.value(forKey: "alternativeDataElements"),
            limit: limit,
            of: "alternativeDataElements"
        )
        let alternatives = alternativeDataElements.reduce(0) { $0 + $1.count }
        try reading.check(alternatives, limit: limit, "alternative elements", at: view)
        if let identifiers = map.value(forKey: "issuerIdentifiers") {
            try reading.check(try cbor(identifiers.array()).count, limit: limit, "issuerIdentifiers", at: identifiers)
            if try cbor(identifiers.array()).count == 0 { try reading.tolerate(.emptyMember, at: identifiers) }
            for view in try cbor(identifiers.array()) { issuerIdentifiers.append([UInt8](try cbor(view.bytes()))) }
        }
        uniqueDocSetRequired = try map.value(forKey: "uniqueDocSetRequired").map { (view) throws(MdocError) in
            try cbor(view.bool())
        }
        maximumResponseSize = try map.value(forKey: "maximumResponseSize").map { (view) throws(MdocError) in
            try cbor(view.integer())
        }
        zkRequest = try map.value(forKey: "zkRequest").map { (view) throws(MdocError) in
            let limit = reading.options.limits.zkRequestSize
            try reading.check(view.encodedBytes.count, limit: limit, "bytes of a zkRequest", at: view)
            return try ZkRequest(view, &reading)
        }
        if let encryption = map.value(forKey: "docResponseEncryption") {
            _ = try reading.embedded(encryption)
            docResponseEncryption = [UInt8](encryption.encodedBytes)
        }
        extensions = CBORMap(extensionsOf: map, besides: Self.names)
    }

    /// Writes the structure.
    func encode(to writer: inout CBORWriter) {
        writer.beginMap(count: memberCount)
        if !alternativeDataElements.isEmpty {
            writer.write(text: "alternativeDataElements")
            writer.beginArray(count: alternativeDataElements.count)
            for alternative in alternativeDataElements { alternative.encode(to: &writer) }
        }
        if !issuerIdentifiers.isEmpty {
            writer.write(text: "issuerIdentifiers")
            writer.beginArray(count: issuerIdentifiers.count)
            for identifier in issuerIdentifiers { writer.write(bytes: identifier) }
        }
        encodeScalars(to: &writer)
        if let zkRequest {
            writer.write(text: "zkRequest")
            zkRequest.encode(to: &writer)
        }
        if let docResponseEncryption {
            writer.write(text: "docResponseEncryption")
            writer.write(encoded: docResponseEncryption)
        }
        writer.write(extensions: extensions)
    }

    private func encodeScalars(to writer: inout CBORWriter) {
        if let uniqueDocSetRequired {
            writer.write(text: "uniqueDocSetRequired")
            writer.write(bool: uniqueDocSetRequired)
        }
        if let maximumResponseSize {
            writer.write(text: "maximumResponseSize")
            writer.write(unsigned: maximumResponseSize)
        }
    }
}
