public import JSONKit

extension PresentationDefinition {
    /// Reads a definition as received; unknown members are ignored.
    ///
    /// - Parameters:
    ///   - json: The definition.
    ///   - limits: Bounds on what is read.
    ///   - skippingAlternatives: Pass `true` to leave out a path among several, and an optional field, whose path or pattern is
    ///     not implemented: a wallet answers what is left. A verifier should get the error before it sends the definition.
    /// - Throws: ``OID4VPError/Code/invalidDefinition``, ``OID4VPError/Code/unsupportedFeature`` if a feature is
    ///   required that is not implemented, ``OID4VPError/Code/limitExceeded``, and the codes of paths, filters and
    ///   patterns.
    public init(
        json: JSONValue,
        limits: PresentationDefinitionLimits = .default,
        skippingAlternatives: Bool = false
    ) throws(OID4VPError) {
        self = try DefinitionReader(limits, skipsAlternatives: skippingAlternatives).definition(json)
    }
}

extension InputDescriptor {
    /// Reads a descriptor by itself.
    ///
    /// - Throws: As for a definition.
    public init(json: JSONValue, limits: PresentationDefinitionLimits = .default) throws(OID4VPError) {
        self = try DefinitionReader(limits).descriptor(json, at: ["input_descriptor"])
    }
}

/// Reads the parts of a definition.
struct DefinitionReader {
    let limits: PresentationDefinitionLimits
    private let skipsAlternatives: Bool
    private let patterns: PatternSpace

    init(_ limits: PresentationDefinitionLimits, skipsAlternatives: Bool = false) {
        self.limits = limits
        self.skipsAlternatives = skipsAlternatives
        patterns = PatternSpace(limits.filters.instructions)
    }

    func definition(_ json: JSONValue) throws(OID4VPError) -> PresentationDefinition {
        let reader = try MemberReader(json, .invalidDefinition, at: ["presentation_definition"])
        guard reader["frame"] == nil else {
            throw OID4VPError(.unsupportedFeature, "framing is not supported", path: reader.path("frame"))
        }
        let id = try reader.requiredText("id")
        var descriptors: [InputDescriptor] = []
        var ids: Set<QueryID> = []
        let name = "input_descriptors"
        for (place, value) in try reader.requiredElements(name, atMost: limits.descriptors).enumerated() {
            let descriptor = try descriptor(value, at: reader.path("\(name)[\(place)]"))
            guard ids.insert(descriptor.id).inserted else {
                throw reader.invalid("\(name)[\(place)]", "its id is that of another descriptor")
            }
            descriptors.append(descriptor)
        }
        return PresentationDefinition(
            id: id,
            name: reader["name"]?.stringValue,
            purpose: reader["purpose"]?.stringValue,
            formats: try formats(reader),
            descriptors: descriptors,
            requirements: try RequirementReader(reader, descriptors, limits).requirements(),
            json: json,
            limits: limits
        )
    }

    func descriptor(_ json: JSONValue, at path: [String]) throws(OID4VPError) -> InputDescriptor {
        let reader = try MemberReader(json, .invalidDefinition, at: path)
        let id = try reader.requiredText("id")
        let constraints = try MemberReader(
            reader["constraints"],
            .invalidDefinition,
            at: reader.path("constraints")
        )
        try refuseFeatures(constraints)
        var fields: [DescriptorField] = []
        // An empty list of fields is met in practice, and demands nothing.
        if let list = constraints["fields"], list.arrayValue?.isEmpty != true {
            for (place, value) in try constraints.requiredElements("fields", atMost: limits.fields).enumerated() {
                if let field = try fieldOrNone(value, at: constraints.path("fields[\(place)]")) { fields.append(field) }
            }
        }
        return InputDescriptor(
            id: QueryID(id),
            name: reader["name"]?.stringValue,
            purpose: reader["purpose"]?.stringValue,
            formats: try formats(reader),
            groups: (try reader.texts("group", atMost: limits.entries) ?? []).map(ExactText.init),
            limitDisclosure: try limitDisclosure(constraints),
            fields: fields
        )
    }

    private func limitDisclosure(
        _ constraints: MemberReader
    ) throws(OID4VPError) -> InputDescriptor.LimitDisclosure? {
        guard let text = try constraints.text("limit_disclosure") else { return nil }
        guard let limit = InputDescriptor.LimitDisclosure(rawValue: text) else {
            throw constraints.invalid("limit_disclosure", "it must be required or preferred")
        }
        return limit
    }

    /// Refuses the features of section 7 that a definition requires.
    private func refuseFeatures(_ constraints: MemberReader) throws(OID4VPError) {
        func isRequired(_ value: JSONValue) -> Bool {
            value.stringValue == "required" || value["directive"]?.stringValue == "required"
        }
        for name in ["subject_is_issuer", "is_holder", "same_subject", "statuses"] {
            guard let value = constraints[name] else { continue }
            let demands = value.arrayValue ?? value.objectValue.map { $0.values + [value] } ?? [value]
            guard !demands.contains(where: isRequired) else {
                throw OID4VPError(.unsupportedFeature, "\(name) is not supported", path: constraints.path(name))
            }
        }
    }

    /// A field, or nil for an optional one that is not implemented and left out.
    private func fieldOrNone(_ json: JSONValue, at path: [String]) throws(OID4VPError) -> DescriptorField? {
        do throws(OID4VPError) {
            return try field(json, at: path)
        } catch {
            guard skipsAlternatives, json["optional"] == true, error.isAboutSupport else { throw error }
            return nil
        }
    }

    /// The paths that are implemented.
    ///
    /// - Throws: The error of the first one where none is.
    private func paths(_ texts: [String]) throws(OID4VPError) -> [JSONPathQuery] {
        var paths: [JSONPathQuery] = []
        var first: OID4VPError?
        for text in texts {
            do throws(OID4VPError) {
                paths.append(try JSONPathQuery(text))
            } catch {
                guard skipsAlternatives, error.isAboutSupport else { throw error }
                first = first ?? error
            }
        }
        if paths.isEmpty, let first { throw first }
        return paths
    }

    private func field(_ json: JSONValue, at path: [String]) throws(OID4VPError) -> DescriptorField {
        let reader = try MemberReader(json, .invalidDefinition, at: path)
        guard reader["predicate"]?.stringValue != "required" else {
            throw OID4VPError(.unsupportedFeature, "predicates are not supported", path: reader.path("predicate"))
        }
        guard let texts = try reader.texts("path", atMost: limits.entries) else {
            throw reader.invalid("path", .missing)
        }
        do throws(OID4VPError) {
            return DescriptorField(
                id: try reader.text("id"),
                name: reader["name"]?.stringValue,
                purpose: reader["purpose"]?.stringValue,
                paths: try paths(texts),
                filter: try reader["filter"].map { value throws(OID4VPError) in
                    try JSONSchema(value, limits: limits.filters, patterns)
                },
                isOptional: try reader.bool("optional", default: false),
                intentToRetain: try reader.bool("intent_to_retain")
            )
        } catch {
            throw error.path.starts(with: path)
                ? error : OID4VPError(error.code, error.message, path: path + error.path, cause: error.cause)
        }
    }

    // MARK: Formats

    private func formats(_ reader: MemberReader) throws(OID4VPError) -> [FormatRequirement] {
        guard let value = reader["format"] else { return [] }
        guard let members = value.objectValue, members.count <= limits.entries else {
            throw reader.invalid("format", "it must be an object of formats")
        }
        var formats: [FormatRequirement] = []
        for (name, value) in members {
            let entry = try MemberReader(value, .invalidDefinition, at: reader.path("format") + [name])
            let format = CredentialFormat(name)
            let lists = try algorithms(entry, "alg", "proof_type", "sd-jwt_alg_values", "issuerauth_alg_values")
            let ofHolder = try algorithms(entry, "kb-jwt_alg_values", "deviceauth_alg_values")
            formats.append(
                // The signature of an envelope is the holder's.
                format.isEnvelope
                    ? FormatRequirement(format: format, holderAlgorithms: lists)
                    : FormatRequirement(format: format, algorithms: lists, holderAlgorithms: ofHolder)
            )
        }
        return formats
    }

    /// The entries of all these lists, or nil if none is there.
    private func algorithms(_ entry: MemberReader, _ members: String...) throws(OID4VPError) -> [ExactText]? {
        var algorithms: [ExactText]?
        for member in members {
            guard let list = entry[member]?.arrayValue else { continue }
            guard list.count <= limits.entries else {
                throw OID4VPError(.limitExceeded, "it has too many algorithms", path: entry.path(member))
            }
            let names = list.compactMap { $0.stringValue ?? $0.numberValue?.text }
            algorithms = (algorithms ?? []) + names.map(ExactText.init)
        }
        return algorithms
    }
}

extension OID4VPError {
    /// Indicates a path or a pattern that is valid and not implemented.
    fileprivate var isAboutSupport: Bool { code == .unsupportedPath || code == .unsupportedPattern }
}
