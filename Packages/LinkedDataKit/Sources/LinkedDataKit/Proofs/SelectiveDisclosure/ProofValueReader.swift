import CBORKit
import DIDKit

/// Reads the five elements of a proof value (Data Integrity ECDSA Cryptosuites 1.0, sections 3.5.3 and 3.5.8).
struct ProofValueReader {
    /// The two kinds of proof values.
    enum Kind: UInt8 {
        /// Of the issuer's proof, which the holder keeps.
        case base = 0
        /// Of a proof that the holder derived.
        case derived = 1

        /// The head of the tag that stands before the elements.
        var header: [UInt8] { [0xd9, 0x5d, rawValue] }
    }

    /// The length of a signature on P-256.
    static let signatureSize = 64

    let kind: Kind
    private let limits: SelectiveDisclosureLimits
    private var elements: CBORCursor

    /// Checks the form of a proof value.
    ///
    /// - Throws: ``LinkedDataError/Code/invalidProofValue``, and ``LinkedDataError/Code/limitExceeded`` for a text that
    ///   is too long.
    init(_ text: String, _ limits: SelectiveDisclosureLimits) throws(LinkedDataError) {
        guard text.utf8.count <= limits.size else {
            throw LinkedDataError(.limitExceeded, "the value has more than \(limits.size) characters")
        }
        let bytes: [UInt8]
        do throws(DIDError) {
            bytes = try Multibase.decode(text, accepting: [.base64url])
        } catch {
            throw LinkedDataError(.invalidProofValue, error.message, cause: error)
        }
        let header = bytes.prefix(3)
        guard let kind = [Kind.base, .derived].first(where: { header.elementsEqual($0.header) }) else {
            throw LinkedDataError(.invalidProofValue, "the value is neither of a base proof nor of a derived proof")
        }
        self.kind = kind
        self.limits = limits
        elements = try Self.reading { () throws(CBORError) in
            try CBORDocument(bytes[3...], options: Self.options).root.array(count: 5).view.cursor()
        }
    }

    /// Definite lengths and shortest forms; no tags, which the Recommendation forbids.
    private static let options: CBORReadingOptions = {
        var options = CBORReadingOptions()
        options.limits.depth = 2
        options.requiresShortestArguments = true
        options.requiresDefiniteLengths = true
        options.allowedTags = []
        options.allowedSimpleValues = []
        return options
    }()

    /// Reads bytes of a length.
    mutating func bytes(_ count: Int) throws(LinkedDataError) -> ArraySlice<UInt8> {
        let bytes = try Self.reading { () throws(CBORError) in try elements.bytes() }
        return try Self.checked(bytes, count)
    }

    /// Reads the key of the statements.
    mutating func key() throws(LinkedDataError) -> StatementKey {
        try StatementKey(Self.reading { () throws(CBORError) in try elements.bytes() })
    }

    /// Reads the signatures of the statements.
    mutating func signatures() throws(LinkedDataError) -> [[UInt8]] {
        let views = try Self.reading { () throws(CBORError) in try elements.next().array() }
        try limits.check(statements: views.count)
        var signatures: [[UInt8]] = []
        signatures.reserveCapacity(views.count)
        for view in views {
            let bytes = try Self.reading { () throws(CBORError) in try view.bytes() }
            signatures.append(Array(try Self.checked(bytes, Self.signatureSize)))
        }
        return signatures
    }

    /// Reads the mandatory pointers of a base proof.
    mutating func pointers() throws(LinkedDataError) -> [JSONPointer] {
        let views = try Self.reading { () throws(CBORError) in try elements.next().array() }
        try limits.check(pointers: views.count)
        var pointers: [JSONPointer] = []
        for view in views { pointers.append(try JSONPointer(Self.reading { () throws(CBORError) in try view.text() })) }
        return pointers
    }

    /// Reads the label map of a derived proof: the digests in the order of canonical identifiers (section 3.5.6).
    ///
    /// Two nodes with one label would be one node to the issuer, and two to the verifier.
    mutating func labels() throws(LinkedDataError) -> [[UInt8]] {
        let map = try Self.reading { () throws(CBORError) in try elements.next().map() }
        try limits.check(labels: map.count)
        var labels: [[UInt8]] = Array(repeating: [], count: map.count)
        for (key, value) in map {
            let (number, bytes) = try Self.reading { () throws(CBORError) in
                (try key.integer(as: Int.self), try value.bytes())
            }
            guard labels.indices.contains(number) else {
                throw LinkedDataError(.invalidProofValue, "the label map has no entry for each node")
            }
            labels[number] = Array(try Self.checked(bytes, StatementLabel.size))
        }
        guard Set(labels).count == labels.count else {
            throw LinkedDataError(.invalidProofValue, "two nodes have the same label")
        }
        return labels
    }

    /// Reads the indexes of the mandatory statements of a derived proof, which must ascend.
    mutating func indexes() throws(LinkedDataError) -> [Int] {
        let views = try Self.reading { () throws(CBORError) in try elements.next().array() }
        var indexes: [Int] = []
        for view in views {
            let index = try Self.reading { () throws(CBORError) in try view.integer(as: Int.self) }
            guard index > indexes.last ?? -1 else {
                throw LinkedDataError(.invalidProofValue, "the indexes of mandatory statements do not ascend")
            }
            indexes.append(index)
        }
        return indexes
    }

    private static func checked(_ bytes: ArraySlice<UInt8>, _ count: Int) throws(LinkedDataError) -> ArraySlice<UInt8> {
        guard bytes.count == count else {
            throw LinkedDataError(.invalidProofValue, "\(bytes.count) bytes stand where \(count) belong")
        }
        return bytes
    }

    private static func reading<Value>(
        _ body: () throws(CBORError) -> Value
    ) throws(LinkedDataError) -> Value {
        do throws(CBORError) {
            return try body()
        } catch {
            throw LinkedDataError(.invalidProofValue, error.message, cause: error)
        }
    }
}
