import JOSEKit
public import JSONKit
public import SDJWTKit
@_spi(Layers) import VerificationCore

/// An entry of `transaction_data`: a transaction that the holder authorizes with a presentation (section 8.4).
public struct TransactionDataEntry: Sendable {
    /// The entry as received, which hashes are made of.
    public let text: String
    /// The type.
    public let type: ExactText
    /// The queries of which the presentation for one authorizes the transaction.
    public let credentials: [QueryID]
    /// The hash functions for SD-JWTs: those of the request's list that are supported; nil if it has no list, which stands
    /// for SHA-256.
    public let hashAlgorithms: [SDHashAlgorithm]?
    /// All members.
    public let members: JSONObject

    private static let hashMember = "transaction_data_hashes_alg"
    /// The hash functions that a key binding can name.
    private static let hashes: [SDHashAlgorithm] = [.sha256, .sha384, .sha512]

    /// Reads an entry.
    ///
    /// - Throws: ``OID4VPError/Code/invalidTransactionData``, also for an unknown type, for a member that the type does
    ///   not define, and for a query that is unknown or requires no holder binding.
    init(
        _ text: String,
        types: TransactionDataTypes,
        query: DCQLQuery?,
        definition: PresentationDefinition?,
        limits: RequestLimits,
        at path: [String]
    ) throws(OID4VPError) {
        let reader = try Self.reader(text, limits, at: path)
        self.text = text
        members = reader.members
        type = ExactText(try reader.requiredText("type"))
        guard let defined = types.members[type] else { throw reader.invalid("type", "the type is unknown") }
        for name in members.names {
            let isKnown =
                ["type", "credential_ids", Self.hashMember].contains(name) || defined.contains(ExactText(name))
            guard isKnown else { throw reader.invalid(name, "the type does not define the member") }
        }
        guard let ids = try reader.texts("credential_ids", atMost: limits.entries) else {
            throw reader.invalid("credential_ids", .missing)
        }
        credentials = ids.map { QueryID($0) }
        for id in credentials {
            let isKnown = query?[id] != nil || definition?.descriptors.contains { $0.id == id } == true
            guard isKnown else { throw reader.invalid("credential_ids", "it names an unknown query") }
            guard query?[id]?.requiresHolderBinding != false else {
                throw reader.invalid("credential_ids", "it names a query without holder binding")
            }
        }
        guard let names = try reader.texts(Self.hashMember, atMost: limits.entries) else {
            hashAlgorithms = nil
            return
        }
        let supported = names.map(SDHashAlgorithm.init(rawValue:)).filter(Self.hashes.contains)
        guard !supported.isEmpty else {
            throw reader.invalid(Self.hashMember, "none of the hash functions is supported")
        }
        hashAlgorithms = supported
    }

    private static func reader(
        _ text: String,
        _ limits: RequestLimits,
        at path: [String]
    ) throws(OID4VPError) -> MemberReader {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: try Base64URL.decode(text), limits: limits.json)
        } catch {
            throw OID4VPError(.invalidTransactionData, "it is no JSON in base64url", path: path, cause: error)
        }
        return try MemberReader(value, .invalidTransactionData, at: path)
    }
}

/// The types of transactions that a wallet supports, each with the members that it defines beyond those of OpenID4VP.
public struct TransactionDataTypes: Sendable, ExpressibleByDictionaryLiteral {
    /// The members of each type.
    public let members: [ExactText: Set<ExactText>]

    /// No type: every request with transaction data is refused.
    public static let none: TransactionDataTypes = [:]

    /// Takes types with their members; of a type that occurs twice the last one counts.
    public init(_ members: [ExactText: Set<ExactText>]) {
        self.members = members
    }

    /// Takes types with their members.
    public init(dictionaryLiteral elements: (ExactText, Set<ExactText>)...) {
        self.init(Dictionary(elements) { $1 })
    }
}

extension TransactionDataEntry {
    /// Reads `transaction_data`.
    ///
    /// - Throws: ``OID4VPError/Code/invalidTransactionData``.
    static func entries(
        _ parameters: AuthorizationParameters,
        types: TransactionDataTypes,
        query: DCQLQuery?,
        definition: PresentationDefinition?,
        limits: RequestLimits
    ) throws(OID4VPError) -> [TransactionDataEntry] {
        let name = "transaction_data"
        guard parameters.contains(name) else { return [] }
        let texts: [String]
        do throws(OID4VPError) {
            let value = try parameters.value(name) ?? .null
            texts = try MemberReader.texts(value, atMost: limits.entries, .invalidTransactionData, at: [name])
        } catch {
            guard error.code != .invalidTransactionData else { throw error }
            throw OID4VPError(
                .invalidTransactionData,
                "the list cannot be read",
                path: [name],
                cause: error.withoutPlace
            )
        }
        var entries: [TransactionDataEntry] = []
        for (place, text) in texts.enumerated() {
            entries.append(
                try TransactionDataEntry(
                    text,
                    types: types,
                    query: query,
                    definition: definition,
                    limits: limits,
                    at: ["\(name)[\(place)]"]
                )
            )
        }
        return entries
    }
}
