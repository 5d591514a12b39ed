public import CBORKit

/// The header parameters of one layer: the protected and the unprotected bucket (RFC 9052 section 3).
///
/// The protected bucket keeps the bytes in which it was received; signatures, tags and ciphertexts are checked over those.
public struct COSEHeaders: Sendable {
    /// The parameters that the layer's cryptography covers.
    public var protected: COSEHeaderMap { members.protected }
    /// The unauthenticated parameters.
    public var unprotected: COSEHeaderMap { members.unprotected }
    /// The content of the protected byte string: as received, or as it will be sent.
    public var protectedBytes: ArraySlice<UInt8> { members.protectedBytes }

    private let members: Members

    /// The storage that all copies share.
    private final class Members: Sendable {
        let protected: COSEHeaderMap
        let unprotected: COSEHeaderMap
        let protectedBytes: ArraySlice<UInt8>

        init(protected: COSEHeaderMap, unprotected: COSEHeaderMap, protectedBytes: ArraySlice<UInt8>) {
            self.protected = protected
            self.unprotected = unprotected
            self.protectedBytes = protectedBytes
        }
    }

    /// Makes the headers of a new layer.
    ///
    /// Labels in both buckets are detected when the layer is signed, authenticated or encrypted.
    public init(protected: COSEHeaderMap = [:], unprotected: COSEHeaderMap = [:]) {
        members = Members(
            protected: protected,
            unprotected: unprotected,
            protectedBytes: protected.isEmpty ? [] : protected.encodedBytes[...]
        )
    }

    /// Headers with the same protected bytes and another unprotected bucket.
    func replacing(unprotected: COSEHeaderMap) -> COSEHeaders {
        COSEHeaders(protected: protected, unprotected: unprotected, protectedBytes: protectedBytes)
    }

    private init(protected: COSEHeaderMap, unprotected: COSEHeaderMap, protectedBytes: ArraySlice<UInt8>) {
        members = Members(protected: protected, unprotected: unprotected, protectedBytes: protectedBytes)
    }

    /// The protected bucket as it stands in authenticated structures: empty if it has no parameters, even if an encoded
    /// empty map was received (RFC 9052 sections 3 and 4.4).
    var authenticatedBytes: ArraySlice<UInt8> {
        protected.isEmpty ? [] : protectedBytes
    }
}

extension COSEHeaders: COSEHeaderParameters {
    /// The value of a parameter in the protected bucket, else in the unprotected one, else nil.
    public func parameter(_ label: COSELabel) throws(COSEError) -> CBORView? {
        if let view = try protected.parameter(label) { return view }
        return try unprotected.parameter(label)
    }

    /// The algorithm (`alg`) of the protected bucket, else of the unprotected one, else nil.
    ///
    /// - Throws: ``COSEError/Code/unsupportedAlgorithm`` for a text identifier: none is registered.
    public func algorithm() throws(COSEError) -> COSEAlgorithm? {
        if let algorithm = try protected.algorithm() { return algorithm }
        return try unprotected.algorithm()
    }
}

extension COSEHeaders {
    /// Reads `protected: bstr, unprotected: map`, and checks what RFC 9052 section 3 demands of both together.
    init(
        protected protectedView: CBORView,
        unprotected unprotectedView: CBORView,
        options: COSEReadingOptions
    ) throws(COSEError) {
        let protectedBytes = try reading("protected") { () throws(CBORError) in try protectedView.bytes() }
        let protected = try within("protected") { () throws(COSEError) in
            try Self.protectedMap(protectedBytes, options)
        }
        let unprotected = try within("unprotected") { () throws(COSEError) in
            try COSEHeaderMap(cbor: unprotectedView, maximumCount: options.headerParameters)
        }
        self.init(protected: protected, unprotected: unprotected, protectedBytes: protectedBytes)
        try validate()
    }

    private static func protectedMap(
        _ bytes: ArraySlice<UInt8>,
        _ options: COSEReadingOptions
    ) throws(COSEError) -> COSEHeaderMap {
        guard !bytes.isEmpty else { return COSEHeaderMap() }
        let limits = options.cbor.limits
        if limits.depth > 0, limits.items >= 3, let map = COSEHeaderMap(ofOneInteger: bytes) { return map }
        let document: CBORDocument
        do {
            document = try CBORDocument(bytes, options: options.cbor)
        } catch {
            throw COSEError(error)
        }
        return try COSEHeaderMap(cbor: document.root, maximumCount: options.headerParameters)
    }

    /// Refuses headers that no layer may have: a label in both buckets, a broken `crit`, IV beside Partial IV.
    func validate() throws(COSEError) {
        let (protected, unprotected) = (protected, unprotected)
        if let label = protected.firstLabel(sharedWith: unprotected) {
            throw COSEError(
                .duplicateLabel,
                "label \(label) occurs in both buckets",
                path: ["unprotected", "\(label)"]
            )
        }
        let hasIV = protected.contains(.iv) || unprotected.contains(.iv)
        if hasIV, protected.contains(.partialIV) || unprotected.contains(.partialIV) {
            throw COSEError(.conflictingIV, "IV and Partial IV stand in the same layer", path: ["IV"])
        }
        if unprotected.contains(.crit) {
            throw COSEError(.invalidCritical, "crit must be protected", path: ["unprotected", "crit"])
        }
        _ = try criticalLabels()
    }

    /// Writes the two elements that every COSE layer starts with.
    func encode(to writer: inout CBORWriter) {
        writer.write(bytes: protectedBytes)
        unprotected.encode(to: &writer)
    }
}
