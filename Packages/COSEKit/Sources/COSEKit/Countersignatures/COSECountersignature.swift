public import CBORKit

/// A signature over another structure's signature, tag or ciphertext: COSE_Countersignature (RFC 9338 section 3.1), read
/// and not verified.
public struct COSECountersignature: Sendable {
    /// The headers of the countersigner.
    public let headers: COSEHeaders
    /// The signature: for ECDSA r‖s in fixed width.
    public let signature: ArraySlice<UInt8>
    /// The generation, which decides what the signature covers.
    public let form: COSECountersignatureForm

    private let received: ArraySlice<UInt8>?

    /// The CBOR tag of a countersignature that stands by itself.
    static let tag: UInt64 = 19

    /// Reads a countersignature that stands by itself, tagged with 19 or untagged.
    public init(decoding bytes: some Collection<UInt8>, options: COSEReadingOptions = .default) throws(COSEError) {
        let bytes = Array(bytes)
        let document: CBORDocument
        do {
            document = try CBORDocument(bytes, options: options.cbor)
        } catch {
            throw COSEError(error, path: ["COSE_Countersignature"])
        }
        try self.init(cbor: document.root, options: options)
    }

    /// Reads a countersignature that stands by itself from an item of a larger document.
    public init(cbor view: CBORView, options: COSEReadingOptions = .default) throws(COSEError) {
        self = try within("COSE_Countersignature") { () throws(COSEError) in
            guard let tag = view.tag else { return try Self(view, form: .version2, options) }
            guard tag == Self.tag else { throw COSEError(.wrongTag, "tag \(tag) instead of \(Self.tag)") }
            let content = try reading("tag") { () throws(CBORError) in try view.content(ofTag: tag) }
            return try Self(content, form: .version2, options)
        }
    }

    init(_ view: CBORView, form: COSECountersignatureForm, _ options: COSEReadingOptions) throws(COSEError) {
        let elements = try COSEElements(of: view, count: 3...3)
        headers = try elements.headers(options)
        signature = try elements.bytes(2, "signature")
        self.form = form
        received = elements.encodedBytes
    }

    init(headers: COSEHeaders, signature: ArraySlice<UInt8>, form: COSECountersignatureForm) {
        self.headers = headers
        self.signature = signature
        self.form = form
        received = nil
    }

    /// The countersignature in CBOR: as received where it was received and not changed.
    ///
    /// - Parameter tagged: Pass `true` to write tag 19 before it.
    public func encoded(tagged: Bool = true) -> [UInt8] {
        var writer = CBORWriter()
        if tagged { writer.write(tag: Self.tag) }
        encode(to: &writer)
        return writer.finish()
    }

    func encode(to writer: inout CBORWriter) {
        if let received {
            writer.write(encoded: received)
            return
        }
        writer.beginArray(count: 3)
        headers.encode(to: &writer)
        writer.write(bytes: signature)
    }
}

extension COSECountersignature: COSECountersignable {
    /// Protected headers and the signature.
    public var countersignatureTarget: COSECountersignatureTarget {
        COSECountersignatureTarget(protectedBytes: headers.authenticatedBytes, content: signature, otherFields: [])
    }

    /// The same countersignature with another unprotected bucket.
    public func replacing(unprotected: COSEHeaderMap) -> COSECountersignature {
        let headers = headers.replacing(unprotected: unprotected)
        return COSECountersignature(headers: headers, signature: signature, form: form)
    }
}

/// A countersignature that was verified over its target.
///
/// Only verification makes values of this type.
public struct COSEVerifiedCountersignature: Sendable {
    /// The headers of the countersigner; nil for an abbreviated countersignature, which has none.
    public let headers: COSEHeaders?
    /// The algorithm of the signature.
    public let algorithm: COSEAlgorithm

    init(headers: COSEHeaders?, algorithm: COSEAlgorithm) {
        self.headers = headers
        self.algorithm = algorithm
    }
}
