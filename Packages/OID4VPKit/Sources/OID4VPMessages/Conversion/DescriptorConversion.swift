import JSONKit
import SDJWTKit

/// Turns a descriptor into a credential query.
struct DescriptorConversion {
    /// A claim that one path of a field asks for; nil for an optional field that is left out.
    private typealias Option = Int?

    private let descriptor: InputDescriptor
    private var claims: [ClaimQuery] = []
    private var type: CredentialTypeQuery = .any

    /// The number of claim sets that are made of alternatives.
    private static let maximumSets = 64

    init(_ descriptor: InputDescriptor) {
        self.descriptor = descriptor
    }

    private func loss(_ message: String, _ place: String? = nil) -> OID4VPError {
        OID4VPError(
            .notConvertible,
            message,
            path: ["input_descriptors", descriptor.id.text] + (place.map { [$0] } ?? [])
        )
    }

    mutating func query(
        named id: QueryID,
        _ formats: [FormatRequirement]
    ) throws(OID4VPError) -> CredentialQuery {
        guard formats.count == 1, let format = formats.first?.format else {
            throw loss("a DCQL query has one format", "format")
        }
        guard descriptor.limitDisclosure != .required || format.disclosesSelectively else {
            throw loss("DCQL does not refuse a credential that discloses more", "limit_disclosure")
        }
        if format == .mdoc { type = .docType(ExactText(descriptor.id.text)) }
        var combinations: [[Option]] = [[]]
        var hasAlternatives = false
        for (place, field) in descriptor.fields.enumerated() {
            guard let options = try options(of: field, format, at: "fields[\(place)]") else { continue }
            hasAlternatives = hasAlternatives || options.count > 1
            guard combinations.count * options.count <= Self.maximumSets else {
                throw loss("the fields have too many combinations")
            }
            combinations = combinations.flatMap { combination in options.map { combination + [$0] } }
        }
        let sets = combinations.map { $0.compactMap { $0 } }
        guard !hasAlternatives || sets.allSatisfy({ !$0.isEmpty }) else {
            throw loss("a claim set of DCQL is not empty")
        }
        return CredentialQuery(
            id: id,
            format: format,
            type: type,
            claims: hasAlternatives ? claims.enumerated().map { $0.element.named("c\($0.offset)") } : claims,
            claimSets: hasAlternatives ? sets.map { $0.map { ExactText("c\($0)") } } : []
        )
    }

    /// The claims of which one answers a field; nil for a field that is about the type.
    private mutating func options(
        of field: DescriptorField,
        _ format: CredentialFormat,
        at place: String
    ) throws(OID4VPError) -> [Option]? {
        let values = try field.filter.map { filter throws(OID4VPError) in try self.values(of: filter, at: place) } ?? []
        let paths = try field.paths.map { path throws(OID4VPError) in
            guard let claimPath = path.claimPath.flatMap({ Self.path($0, in: format) }) else {
                throw loss("the path \(path) has no counterpart in DCQL", place)
            }
            return claimPath
        }
        if format.current == .sdJWT, paths == [["vct"]] {
            guard case .any = type, !field.isOptional, !values.isEmpty else {
                throw loss("a DCQL query fixes the vct", place)
            }
            type = .vct(
                try values.map { value throws(OID4VPError) in
                    guard let text = value.stringValue else { throw loss("a vct is a text", place) }
                    return ExactText(text)
                }
            )
            return nil
        }
        var options: [Option] = []
        for path in paths {
            options.append(claims.count)
            claims.append(ClaimQuery(path: path, values: values, intentToRetain: field.intentToRetain))
        }
        return field.isOptional ? options + [nil] : options
    }

    /// The path from the root of a credential; nil for one that leads to nothing in a credential of this format.
    ///
    /// That of a token is the claim `vc` in the data model 1.1 (OpenID4VP 1.0, appendix B.1.2); other claims are beside it.
    private static func path(_ path: ClaimPath, in format: CredentialFormat) -> ClaimPath? {
        switch format.credential {
        case .mdoc: return path.isDataElement ? path : nil
        case .jwt:
            guard case .name(let name)? = path.components.first else { return nil }
            guard name == "vc" else { return claimsOfTokens.contains(ExactText(name)) ? nil : path }
            let inner = ClaimPath(Array(path.components.dropFirst()))
            return inner.components.isEmpty ? nil : inner
        default: return path
        }
    }

    private static let claimsOfTokens: Set<ExactText> = [
        "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "cnf", "nonce",
    ]

    /// The values that a filter permits, if it says nothing else.
    private func values(of filter: JSONSchema, at place: String) throws(OID4VPError) -> [JSONValue] {
        guard let members = filter.json.objectValue else { throw loss("the filter is no list of values", place) }
        let values = members["enum"]?.arrayValue ?? members["const"].map { [$0] } ?? []
        let known: Set<ExactText> = [members["enum"] == nil ? "const" : "enum", "type", "title", "description"]
        guard !values.isEmpty, members.names.allSatisfy({ known.contains(ExactText($0)) }),
            values.allSatisfy(\.isComparableInDCQL)
        else { throw loss("the filter is no list of values", place) }
        // Values of another type than the filter's never pass it.
        var passing: [JSONValue] = []
        for value in values where try filter.accepts(value) { passing.append(value) }
        guard !passing.isEmpty else { throw loss("the filter accepts nothing", place) }
        return passing
    }
}

extension ClaimQuery {
    fileprivate func named(_ id: String) -> ClaimQuery {
        var claim = self
        claim.id = ExactText(id)
        return claim
    }
}

extension JSONValue {
    /// Indicates that `values` of a claim may hold the value.
    fileprivate var isComparableInDCQL: Bool {
        switch self {
        case .string, .bool: true
        case .number(let number): number.isInteger
        default: false
        }
    }
}
