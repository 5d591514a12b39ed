public import JSONKit
import SDJWTKit

extension DCQLQuery {
    /// Reads a query as received in `dcql_query`; unknown members are ignored unless the options refuse them.
    ///
    /// A verifier reads its own query with ``DCQLReadingOptions/authoring``.
    ///
    /// - Throws: ``OID4VPError/Code/invalidQuery``, ``OID4VPError/Code/limitExceeded``.
    public init(json: JSONValue, options: DCQLReadingOptions = .strict) throws(OID4VPError) {
        var reader = DCQLReader(options)
        self = try reader.query(json)
    }
}

/// Reads the parts of a query.
struct DCQLReader {
    private let options: DCQLReadingOptions
    private var deviations: [Deviation] = []

    init(_ options: DCQLReadingOptions) {
        self.options = options
    }

    private var limits: DCQLLimits { options.limits }

    private static let root = "dcql_query"

    /// Refuses unknown members of an object, where the options demand it.
    private func require(_ names: Set<String>, in reader: MemberReader) throws(OID4VPError) {
        guard options.refusesUnknownMembers else { return }
        for name in reader.members.names where !names.contains(where: { $0.hasSameBytes(as: name) }) {
            throw reader.invalid(name, "the member is unknown")
        }
    }

    mutating func query(_ json: JSONValue) throws(OID4VPError) -> DCQLQuery {
        let reader = try MemberReader(json, .invalidQuery, at: [Self.root])
        try require(["credentials", "credential_sets"], in: reader)
        var credentials: [CredentialQuery] = []
        var ids: Set<QueryID> = []
        for (place, value) in try reader.requiredElements("credentials", atMost: limits.queries).enumerated() {
            let query = try credential(value, at: reader.place(place, of: "credentials"))
            guard ids.insert(query.id).inserted else {
                throw reader.invalid("credentials[\(place)]", "its id is that of another query")
            }
            credentials.append(query)
        }
        var sets: [CredentialSetQuery] = []
        for (place, value) in (try reader.elements("credential_sets", atMost: limits.entries) ?? []).enumerated() {
            sets.append(try set(value, ids, at: reader.place(place, of: "credential_sets")))
        }
        return DCQLQuery(credentials, sets, deviations: deviations)
    }

    /// A name of ASCII letters, digits, low lines and hyphens.
    private func identifier(_ name: String, of reader: MemberReader) throws(OID4VPError) -> String? {
        guard let text = try reader.text(name) else { return nil }
        guard text.isQueryIdentifier else {
            throw reader.invalid(name, "it must consist of letters, digits, low lines and hyphens")
        }
        return text
    }

    private mutating func credential(
        _ json: JSONValue,
        at place: MemberReader.Place
    ) throws(OID4VPError) -> CredentialQuery {
        let reader = try MemberReader(json, .invalidQuery, at: place)
        try require(Self.membersOfCredential, in: reader)
        guard let id = try identifier("id", of: reader) else { throw reader.invalid("id", .missing) }
        let format = CredentialFormat(try reader.requiredText("format"))
        let claims = try claims(reader, format)
        return CredentialQuery(
            id: QueryID(id),
            format: format,
            type: try type(reader, format),
            allowsMultiple: try reader.bool("multiple", default: false),
            requiresHolderBinding: try reader.bool("require_cryptographic_holder_binding", default: true),
            trustedAuthorities: try authorities(reader),
            claims: claims,
            claimSets: try claimSets(reader, claims)
        )
    }

    private static let membersOfCredential: Set<String> = [
        "id", "format", "multiple", "meta", "trusted_authorities", "require_cryptographic_holder_binding", "claims",
        "claim_sets",
    ]

    // MARK: Types and authorities

    private mutating func type(
        _ reader: MemberReader,
        _ format: CredentialFormat
    ) throws(OID4VPError) -> CredentialTypeQuery {
        guard let value = reader["meta"] else {
            guard options.tolerances.contains(.missingMeta) else { throw reader.invalid("meta", .missing) }
            deviations.append(Deviation(DCQLTolerance.missingMeta.description, at: reader.path("meta")))
            return .any
        }
        let meta = try MemberReader(value, .invalidQuery, at: reader.place("meta"))
        // An empty object puts no constraint (section 6.1); one that says anything has the member of its format.
        guard !meta.members.isEmpty else { return .any }
        switch format.current {
        case .sdJWT:
            try require(["vct_values"], in: meta)
            guard let types = try meta.texts("vct_values", atMost: limits.entries) else {
                throw meta.invalid("vct_values", .missing)
            }
            return .vct(types.map(ExactText.init))
        case .mdoc:
            try require(["doctype_value"], in: meta)
            return .docType(ExactText(try meta.requiredText("doctype_value")))
        case .linkedData, .jwt:
            let name = "type_values"
            try require([name], in: meta)
            return .expandedTypes(
                try meta.requiredElements(name, atMost: limits.entries).map { value throws(OID4VPError) in
                    try MemberReader.texts(value, atMost: limits.entries, .invalidQuery, at: meta.path(name))
                        .map(ExactText.init)
                }
            )
        default: return .any
        }
    }

    private func authorities(_ reader: MemberReader) throws(OID4VPError) -> [TrustedAuthority] {
        let name = "trusted_authorities"
        return try (try reader.elements(name, atMost: limits.entries) ?? []).map { value throws(OID4VPError) in
            let entry = try MemberReader(value, .invalidQuery, at: reader.place(name))
            try require(["type", "values"], in: entry)
            guard let values = try entry.texts("values", atMost: limits.entries) else {
                throw entry.invalid("values", .missing)
            }
            return TrustedAuthority(
                type: ExactText(try entry.requiredText("type")),
                values: values.map(ExactText.init)
            )
        }
    }

    // MARK: Sets

    private func set(
        _ json: JSONValue,
        _ ids: Set<QueryID>,
        at place: MemberReader.Place
    ) throws(OID4VPError) -> CredentialSetQuery {
        let reader = try MemberReader(json, .invalidQuery, at: place)
        try require(["options", "required", "purpose"], in: reader)
        var options: [[QueryID]] = []
        for value in try reader.requiredElements("options", atMost: limits.entries) {
            let option = try MemberReader.texts(
                value,
                atMost: limits.queries,
                .invalidQuery,
                at: reader.path("options")
            )
            .map { QueryID($0) }
            guard option.allSatisfy(ids.contains) else { throw reader.invalid("options", "a query is unknown") }
            options.append(option)
        }
        return CredentialSetQuery(
            options: options,
            isRequired: try reader.bool("required", default: true),
            purpose: reader["purpose"]?.stringValue
        )
    }
}

// Claims.
extension DCQLReader {
    private mutating func claims(
        _ reader: MemberReader,
        _ format: CredentialFormat
    ) throws(OID4VPError) -> [ClaimQuery] {
        var claims: [ClaimQuery] = []
        var ids: Set<ExactText> = []
        for (place, value) in (try reader.elements("claims", atMost: limits.claims) ?? []).enumerated() {
            let entry = try MemberReader(value, .invalidQuery, at: reader.place(place, of: "claims"))
            try require(["id", "path", "values", "intent_to_retain"], in: entry)
            let id = try identifier("id", of: entry).map { ExactText($0) }
            if let id, !ids.insert(id).inserted {
                throw entry.invalid("id", "another claim has it")
            }
            claims.append(
                ClaimQuery(
                    id: id,
                    path: try pointer(entry, format),
                    values: try values(entry),
                    intentToRetain: try entry.bool("intent_to_retain")
                )
            )
        }
        return claims
    }

    private mutating func pointer(
        _ reader: MemberReader,
        _ format: CredentialFormat
    ) throws(OID4VPError) -> ClaimPath {
        if reader["path"] == nil, format == .mdoc, options.tolerances.contains(.namespaceAndClaimName),
            let nameSpace = try reader.text("namespace"), let name = try reader.text("claim_name")
        {
            deviations.append(Deviation(DCQLTolerance.namespaceAndClaimName.description, at: reader.path("path")))
            return ClaimPath([.name(nameSpace), .name(name)])
        }
        _ = try reader.requiredElements("path", atMost: limits.pathLength)
        let path: ClaimPath
        do throws(SDJWTError) {
            path = try ClaimPath(json: reader["path"] ?? .null)
        } catch {
            throw OID4VPError(.invalidQuery, "it is no path to a claim", path: reader.path("path"), cause: error)
        }
        guard format != .mdoc || path.isDataElement else {
            throw reader.invalid("path", "for an mdoc it must be a namespace and an element identifier")
        }
        return path
    }

    private func values(_ reader: MemberReader) throws(OID4VPError) -> [JSONValue] {
        let values = try reader.elements("values", atMost: limits.entries) ?? []
        for value in values {
            switch value {
            case .string, .bool: continue
            case .number(let number) where number.isInteger: continue
            default: throw reader.invalid("values", "it must hold texts, integers and truth values")
            }
        }
        return values
    }

    private func claimSets(
        _ reader: MemberReader,
        _ claims: [ClaimQuery]
    ) throws(OID4VPError) -> [[ExactText]] {
        let name = "claim_sets"
        guard let sets = try reader.elements(name, atMost: limits.entries) else { return [] }
        guard !claims.isEmpty else { throw reader.invalid(name, "there are no claims for it") }
        let ids = Set(claims.compactMap(\.id))
        guard claims.allSatisfy({ $0.id != nil }) else {
            throw reader.invalid(name, "a claim has no id for it")
        }
        return try sets.map { value throws(OID4VPError) in
            let set = try MemberReader.texts(value, atMost: limits.claims, .invalidQuery, at: reader.path(name))
                .map(ExactText.init)
            guard set.allSatisfy(ids.contains) else { throw reader.invalid(name, "a claim is unknown") }
            return set
        }
    }
}

extension String {
    /// Indicates that the text may name a query or a claim.
    var isQueryIdentifier: Bool {
        !isEmpty
            && unicodeScalars.allSatisfy { ScalarSet.word.contains($0) || $0 == "-" }
    }
}
