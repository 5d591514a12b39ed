public import JSONKit
import VerificationCore

/// The limits for reading documents with proofs; each bound is the largest accepted.
public struct DocumentLimits: Hashable, Sendable {
    /// The length of the text in bytes: 1 MiB by default.
    public var size: Int
    /// The nesting depth: 64 by default.
    public var depth: Int
    /// The number of proofs: 16 by default.
    public var proofs: Int
    /// The number of credentials of a presentation: 64 by default.
    public var credentials: Int

    /// Makes limits, of which those that are not given have their default.
    public init(size: Int = 1 << 20, depth: Int = 64, proofs: Int = 16, credentials: Int = 64) {
        self.size = size
        self.depth = depth
        self.proofs = proofs
        self.credentials = credentials
    }

    /// The default of each limit.
    public static let `default` = DocumentLimits()

    /// The limits of the JSON reader.
    var json: JSONLimits { JSONLimits(size: size, depth: depth) }
}

/// A document with its proofs, read and not verified.
///
/// Verification gives its content:
///
/// ```swift
/// let document = try SecuredDocument(decoding: bytes)
/// let verification = await verifier.verify(document, expecting: LinkedDataExpectation(purpose: .assertionMethod))
/// let verified = try verification.get()
/// ```
public struct SecuredDocument: Sendable {
    /// All members with the proofs, unverified.
    public let unverifiedMembers: JSONObject
    /// The document without its proofs, unverified.
    public let unverifiedDocument: JSONObject
    /// The proofs, in the order of the document; none for a document without the member `proof`.
    public let proofs: [LinkedDataProof]
    /// The text as received or made.
    public let encodedBytes: ArraySlice<UInt8>

    /// Indicates that the proofs are in a list.
    let hasProofList: Bool

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - text: The JSON text in UTF-8.
    ///   - limits: Bounds of the input.
    /// - Throws: ``LinkedDataError/Code/malformedDocument`` for a text that is not a JSON object or repeats a member,
    ///   ``LinkedDataError/Code/limitExceeded``.
    public init(
        decoding text: some Collection<UInt8>,
        limits: DocumentLimits = .default
    ) throws(LinkedDataError) {
        let members = try JSONObject(document: text, limits: limits)
        try self.init(members, encodedBytes: ArraySlice(text), limits: limits)
    }

    /// Takes the members of a document.
    ///
    /// - Throws: ``LinkedDataError/Code/limitExceeded`` for too many proofs.
    public init(json members: JSONObject, limits: DocumentLimits = .default) throws(LinkedDataError) {
        try self.init(members, encodedBytes: JSONValue.object(members).encoded()[...], limits: limits)
    }

    private init(
        _ members: JSONObject,
        encodedBytes: ArraySlice<UInt8>,
        limits: DocumentLimits
    ) throws(LinkedDataError) {
        var document = members
        let proof = document.removeValue(forName: "proof")
        let list = proof?.arrayValue
        let values = list ?? proof.map { [$0] } ?? []
        guard values.count <= limits.proofs else {
            throw LinkedDataError(.limitExceeded, "there are more than \(limits.proofs) proofs", path: ["proof"])
        }
        unverifiedMembers = members
        unverifiedDocument = document
        proofs = values.map(LinkedDataProof.init)
        hasProofList = list != nil
        self.encodedBytes = encodedBytes
    }

    /// Returns `true` for a document without contexts that the proofs of some suites cover as JSON alone.
    func isPlainJSON(signedWith suites: [LinkedDataProofSuite]) -> Bool {
        !unverifiedDocument.contains("@context") && isCoveredAsJSON(by: suites)
    }

    /// Returns `true` if the proofs of some suites cover the JSON itself, whatever its terms mean.
    func isCoveredAsJSON(by suites: [LinkedDataProofSuite]) -> Bool {
        !suites.isEmpty && suites.allSatisfy { ProofScheme($0)?.canonicalization == .json }
    }

    /// Indicates that the proofs cover the JSON itself, whatever its terms mean.
    @_spi(Layers) public var isCoveredAsJSON: Bool { isCoveredAsJSON(by: proofs.map(\.suite)) }

    /// The name of a proof in paths and parts.
    func name(ofProofAt index: Int) -> String { hasProofList ? "proof[\(index)]" : "proof" }
}

extension JSONObject {
    /// Reads the text of a document.
    init(document text: some Collection<UInt8>, limits: DocumentLimits) throws(LinkedDataError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: text, limits: limits.json)
        } catch {
            throw LinkedDataError(reading: error)
        }
        guard let members = value.objectValue else {
            throw LinkedDataError(.malformedDocument, "the document is no JSON object")
        }
        self = members
    }
}

extension LinkedDataError {
    /// The error for a text that cannot be read.
    init(reading error: JSONError) {
        let limits: [JSONError.Code] = [.sizeLimit, .depthLimit, .valueLimit, .stringLimit, .numberLimit]
        let code: Code = limits.contains(error.code) ? .limitExceeded : .malformedDocument
        self.init(code, error.message, cause: error)
    }
}
