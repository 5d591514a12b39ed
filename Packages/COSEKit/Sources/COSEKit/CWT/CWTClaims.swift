public import CBORKit

/// The claims of a CBOR Web Token (RFC 8392 section 3).
///
/// Claims that were read keep their bytes. An accessor throws ``COSEError/Code/invalidClaim`` for a claim of another type
/// than its definition demands.
public struct CWTClaims: Sendable {
    private var claims = LabelMap()

    /// A set without claims.
    public init() {}

    /// Reads a claims set: a map whose labels are unique.
    public init(cbor view: CBORView) throws(COSEError) {
        claims = try within("CWT Claims Set") { () throws(COSEError) in try LabelMap(cbor: view, as: "map") }
    }

    /// Reads a claims set: a map whose labels are unique.
    public init(decoding bytes: ArraySlice<UInt8>, options: CBORReadingOptions = .default) throws(COSEError) {
        let document: CBORDocument
        do {
            document = try CBORDocument(bytes, options: options)
        } catch {
            throw COSEError(error, path: ["CWT Claims Set"])
        }
        try self.init(cbor: document.root)
    }

    /// Reads a claims set: a map whose labels are unique.
    public init(decoding bytes: some Collection<UInt8>, options: CBORReadingOptions = .default) throws(COSEError) {
        try self.init(decoding: Array(bytes)[...], options: options)
    }

    /// The labels of the claims, in the order in which they stand.
    public var labels: [COSELabel] { claims.labels }

    /// Any claim; setting nil removes it.
    public subscript(label: COSELabel) -> CBOR? {
        get { claims[label] }
        set { claims[label] = newValue }
    }

    /// The claims in CBOR: as received, or encoded deterministically.
    public func encoded() -> [UInt8] { claims.encoded }

    /// Sets the key whose possession the presenter proves (`cnf`, RFC 8747).
    ///
    /// - Throws: ``COSEError/Code/invalidClaim`` for a key that cannot be encoded within default limits.
    public mutating func setConfirmation(_ confirmation: CWTConfirmation) throws(COSEError) {
        let bytes = confirmation.encoded()
        do {
            claims.set(try CBORDocument(bytes).root, for: .claimConfirmation)
        } catch {
            throw COSEError(.invalidClaim, error.message, path: ["cnf"], cause: error)
        }
    }

    /// Any claim as a view into the bytes that were read, or nil if it is absent.
    public func view(_ label: COSELabel) throws(COSEError) -> CBORView? {
        try claims.view(label)
    }
}

extension CWTClaims: ExpressibleByDictionaryLiteral {
    /// A set of the given claims; of a label that is given twice, the last value stays.
    public init(dictionaryLiteral elements: (COSELabel, CBOR)...) {
        self.init()
        for (label, value) in elements { self[label] = value }
    }
}
