import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocKit

/// Large refused responses, as an attacker would make them, beside a valid one of the same size.
struct ForgedResponses: Sendable {
    /// A response, and its content that no pass over it sees: the contents of untagged byte strings.
    struct Shape: Sendable {
        let name: String
        let bytes: [UInt8]
        let documents: Int
        let payloads: [[UInt8]]

        /// The well-formedness pass over all of it: the message with what is embedded in it, and the payloads.
        func pass() throws {
            var options = CBORReadingOptions()
            options.indexesEmbeddedItems = true
            _ = try CBORDocument(bytes, options: options)
            for payload in payloads { _ = try CBORDocument(payload, options: options) }
        }
    }

    let verifier: MdocVerifier
    let transcript: SessionTranscript
    private let pki: MdocTestPKI
    private let deviceKey: PrivateKey
    private let time: Date

    /// The largest number of documents, and of elements in each, that a reader takes.
    private static let documents = MdocLimits().documents
    private static let elements = MdocLimits().elements

    init() async throws {
        time = Date()
        pki = try await MdocTestPKI.make(at: time)
        deviceKey = try PrivateKey.generate(.p256)
        let now = time
        verifier = MdocVerifier(trustAnchors: [TrustAnchor(pki.iaca.certificate)], clock: { now })
        transcript = SessionTranscript(
            handover: .openID4VPDigitalCredentialsAPI(origin: "https://rp.example", nonce: "n", jwkThumbprint: nil)
        )
    }

    /// Reads and verifies a response, and returns the number of its verified documents.
    func verify(_ bytes: [UInt8]) async -> Int {
        guard let response = try? DeviceResponse(decoding: bytes, options: .deployed) else { return 0 }
        return await verifier.verify(response, sessionTranscript: transcript).verifiedDocuments.count
    }

    /// A key, a signature and what it covers, for the cost of a bare verification.
    ///
    /// - Parameter size: The number of bytes that the signature covers; nil for few.
    func bareSignature(over size: Int? = nil) throws -> @Sendable () -> Bool {
        let message = [UInt8](repeating: 7, count: size ?? 200)
        let signature = try deviceKey.signature(for: message, algorithm: .ecdsaSHA256)
        let key = deviceKey.publicKey
        return { key.isValidSignature(signature, for: message, algorithm: .ecdsaSHA256) }
    }
}

// A response that verifies.
extension ForgedResponses {
    /// A response of equal documents with some namespaces and some items in each.
    func valid(
        documents: Int,
        nameSpaces: Int,
        items: Int,
        value: CBOR = "a value of usual length"
    ) async throws -> Shape {
        let validity = ValidityInfo(signed: time, validFrom: time, validUntil: time + 86_400)
        var builder = IssuerSignedBuilder(
            docType: "org.example",
            deviceKey: deviceKey.publicKey,
            validityInfo: validity
        )
        for nameSpace in 0..<nameSpaces {
            for item in 0..<items {
                try builder.add(
                    value,
                    as: DataElementIdentifier("data_element_\(item)"),
                    in: NameSpace("org.example.\(nameSpace)")
                )
            }
        }
        let credential = try await builder.sign(
            with: SoftwareSigner(pki.documentSignerKey),
            x5chain: [pki.documentSigner]
        )
        let prepared = try PreparedMdocDocument(credential, sessionTranscript: transcript)
        let document = try await prepared.signed(with: SoftwareSigner(deviceKey))
        let payload = Array(credential.mobileSecurityObject.taggedBytes)
        return Shape(
            name: "\(documents) documents of \(nameSpaces) × \(items) items",
            bytes: Self.response([CBOR](repeating: try CBOR(decoding: Array(document.encodedBytes)), count: documents)),
            documents: documents,
            payloads: [[UInt8]](repeating: payload, count: documents)
        )
    }

    private static func response(_ documents: [CBOR], _ more: [(CBOR, CBOR)] = []) -> [UInt8] {
        var map: CBORMap = ["version": "1.0", "documents": .array(documents), "status": 0]
        for (key, value) in more { map.append(key, value) }
        return CBOR.map(map).encoded()
    }

    /// The items of a response, one by one, and the digest of each: the work that no verification can avoid.
    func items(of shape: Shape) throws -> [ArraySlice<UInt8>] {
        try DeviceResponse(decoding: shape.bytes).documents.flatMap { document in
            document.issuerSigned.nameSpaces.flatMap { group in group.items.map(\.taggedBytes) }
        }
    }
}

// Responses that are refused.
extension ForgedResponses {
    /// One of each kind.
    func all() async throws -> [Shape] {
        let document = try await template()
        // As many as the largest number of items leaves room for.
        let wide = CBOR.array([CBOR](repeating: .text("twenty bytes of text"), count: 4))
        return [
            try await manyItems("arrays", wide),
            try await manyItems("opaque bytes", .bytes([UInt8](repeating: 7, count: 80))),
            try await manyItems("texts", "a value of usual length"),
            try manyNameSpacesOfDigests(document), try manyDigests(document), try manyAuthorizations(document),
            try manyDeviceElements(document, wide), try manyErrors(document), try largeElement(document, deep: false),
            try largeElement(document, deep: true), try manyParameters(document),
            Shape(
                name: "a million empty documentErrors",
                bytes: Self.response([], [("documentErrors", .array([CBOR](repeating: [:], count: 1_000_000)))]),
                documents: 0,
                payloads: []
            ),
            Shape(
                name: "a million integers in an unknown member",
                bytes: Self.response([document], [("extra", .array([CBOR](repeating: 1, count: 1_000_000)))]),
                documents: 1,
                payloads: []
            ),
            try await deviatingAtTheEnd(wide), try await deviatingItems(),
        ]
    }

    /// A document whose issuer signature is wrong.
    private func template() async throws -> CBOR {
        let valid = try await valid(documents: 1, nameSpaces: 1, items: 4)
        guard var document = try CBOR(decoding: valid.bytes)["documents"]?.array?.first else { return .null }
        document.change(["issuerSigned", "issuerAuth", 3]) { $0 = .bytes([UInt8](repeating: 1, count: 64)) }
        return document
    }

    /// The largest number of documents, each with a payload in place of its own.
    private func shape(_ name: String, _ document: CBOR, count: Int = documents, payload object: CBOR? = nil) -> Shape {
        var document = document
        var payloads: [[UInt8]] = []
        if let object {
            let payload = CBOR.tagged(24, .bytes(object.encoded())).encoded()
            document.change(["issuerSigned", "issuerAuth", 2]) { $0 = .bytes(payload) }
            payloads = [[UInt8]](repeating: payload, count: count)
        }
        return Shape(
            name: name,
            bytes: Self.response([CBOR](repeating: document, count: count)),
            documents: count,
            payloads: payloads
        )
    }

    private func object(_ document: CBOR, _ change: (inout CBOR) -> Void) throws -> CBOR {
        guard case .bytes(let payload)? = document[["issuerSigned", "issuerAuth", 2]],
            case .tagged(24, .bytes(let content)) = try CBOR(decoding: payload)
        else { return .null }
        var object = try CBOR(decoding: content)
        change(&object)
        return object
    }

    private static func names(_ count: Int, _ value: CBOR) -> CBOR {
        .map(CBORMap((0..<count).map { CBORMap.Pair(key: .text("n\($0)"), value: value) }))
    }

    private func manyItems(_ values: String, _ value: CBOR) async throws -> Shape {
        let valid = try await valid(documents: 1, nameSpaces: 1, items: Self.elements, value: value)
        guard var document = try CBOR(decoding: valid.bytes)["documents"]?.array?.first else {
            return valid
        }
        document.change(["issuerSigned", "issuerAuth", 3]) { $0 = .bytes([UInt8](repeating: 1, count: 64)) }
        let forged = shape("\(Self.documents) × \(Self.elements) items, \(values)", document)
        return Shape(
            name: forged.name,
            bytes: forged.bytes,
            documents: forged.documents,
            payloads: [[UInt8]](repeating: valid.payloads[0], count: Self.documents)
        )
    }

    private func manyNameSpacesOfDigests(_ document: CBOR) throws -> Shape {
        let digests = Self.names(200_000, [0: .bytes([UInt8](repeating: 1, count: 32))])
        return shape(
            "200,000 namespaces of digests",
            document,
            count: 1,
            payload: try object(document) { $0.set("valueDigests", digests) }
        )
    }

    private func manyDigests(_ document: CBOR) throws -> Shape {
        let count = MdocLimits().digests
        let digests = CBOR.map(
            CBORMap(
                (0..<count).reversed().map {
                    CBORMap.Pair(key: .integer($0), value: .bytes([UInt8](repeating: 1, count: 32)))
                }
            )
        )
        return shape(
            "\(Self.documents) × \(count) digests",
            document,
            payload: try object(document) { $0.set("valueDigests", ["n": digests]) }
        )
    }

    private func manyAuthorizations(_ document: CBOR) throws -> Shape {
        let elements = CBOR.array((0..<Self.elements).map { .text("a_data_element_of_usual_length_\($0)") })
        return shape(
            "\(Self.documents) × \(Self.elements) keyAuthorizations",
            document,
            payload: try object(document) { object in
                object.change(["deviceKeyInfo"]) { $0.set("keyAuthorizations", ["dataElements": ["n": elements]]) }
            }
        )
    }

    private func manyDeviceElements(_ document: CBOR, _ value: CBOR) throws -> Shape {
        var document = document
        let content = CBOR.map(["n": Self.names(Self.elements, value)])
        document.change(["deviceSigned"]) { $0.set("nameSpaces", .tagged(24, .bytes(content.encoded()))) }
        return shape("\(Self.documents) × \(Self.elements) device-signed elements", document)
    }

    private func manyErrors(_ document: CBOR) throws -> Shape {
        var document = document
        document.set("errors", ["n": Self.names(Self.elements, 0)])
        return shape("\(Self.documents) × \(Self.elements) errors", document)
    }

    private func largeElement(_ document: CBOR, deep: Bool) throws -> Shape {
        let depth = MdocLimits().nestingDepth - 3
        let unit = (0..<(deep ? depth : 0)).reduce(CBOR.text("fourteen bytes")) { value, _ in .array([value]) }
        let item: CBOR = [
            "digestID": 0, "random": .bytes([UInt8](repeating: 1, count: 32)), "elementIdentifier": "e",
            "elementValue": .array([CBOR](repeating: unit, count: 1_000_000 / (deep ? depth + 1 : 1))),
        ]
        var document = document
        document.change(["issuerSigned"]) {
            $0.set("nameSpaces", ["n": .array([.tagged(24, .bytes(item.encoded()))])])
        }
        return shape("an element value of a million items, \(deep ? "deep" : "wide")", document, count: 1)
    }

    private func manyParameters(_ document: CBOR) throws -> Shape {
        var document = document
        document.change(["issuerSigned", "issuerAuth", 1]) { headers in
            let more = (0..<500_000).map { CBORMap.Pair(key: .text("parameter \($0)"), value: 0) }
            headers = .map(CBORMap((headers.map?.pairs ?? []) + more))
        }
        return shape("500,000 header parameters", document, count: 1)
    }

    /// Strict up to the last bytes.
    private func deviatingAtTheEnd(_ value: CBOR) async throws -> Shape {
        let shape = try await manyItems("arrays", value)
        // One more member, with a long form and an indefinite length.
        var bytes = shape.bytes
        bytes[0] += 1
        bytes += CBOR.text("extra").encoded() + [0x9f, 0x18, 0x01, 0xff]
        return Shape(
            name: "\(shape.name), and a deviation at the end",
            bytes: bytes,
            documents: shape.documents,
            payloads: shape.payloads
        )
    }

    private func deviatingItems() async throws -> Shape {
        let valid = try await valid(documents: 1, nameSpaces: 1, items: Self.elements)
        guard var document = try CBOR(decoding: valid.bytes)["documents"]?.array?.first else { return valid }
        document.change(["issuerSigned", "nameSpaces", "org.example.0"]) { items in
            items = .array(
                (items.array ?? []).map { item in
                    guard case .tagged(24, .bytes(let bytes)) = item else { return item }
                    return .tagged(24, .bytes([0xbf] + bytes.dropFirst() + [0xff]))
                }
            )
        }
        return shape("\(Self.documents) × \(Self.elements) items of indefinite length", document)
    }
}

/// A step to a part of a CBOR value.
private enum Step: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case key(String)
    case index(Int)

    init(stringLiteral value: String) {
        self = .key(value)
    }

    init(integerLiteral value: Int) {
        self = .index(value)
    }
}

extension CBOR {
    fileprivate var array: [CBOR]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    fileprivate var map: CBORMap? {
        if case .map(let map) = self { map } else { nil }
    }

    fileprivate subscript(key: CBOR) -> CBOR? { map?[key] }

    fileprivate subscript(steps: [Step]) -> CBOR? {
        guard let step = steps.first else { return self }
        let part: CBOR? =
            switch step {
            case .key(let key): self[.text(key)]
            case .index(let index): array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
            }
        return part?[Array(steps.dropFirst())]
    }

    fileprivate mutating func set(_ key: CBOR, _ value: CBOR) {
        guard var map else { return }
        map[key] = value
        self = .map(map)
    }

    fileprivate mutating func change(_ steps: [Step], _ change: (inout CBOR) -> Void) {
        guard let step = steps.first else { return change(&self) }
        let rest = Array(steps.dropFirst())
        switch step {
        case .key(let key):
            guard var part = self[.text(key)] else { return }
            part.change(rest, change)
            set(.text(key), part)
        case .index(let index):
            guard var elements = array, elements.indices.contains(index) else { return }
            elements[index].change(rest, change)
            self = .array(elements)
        }
    }
}
