import JSONKit
import VerificationCore

/// The operators on one metadata parameter, in the order in which they are applied (OpenID Federation 1.0, section 6.1.3.1).
struct ParameterPolicy: Hashable, Sendable {
    /// `value`: the value of the parameter; null removes it.
    private(set) var value: JSONValue?
    /// `add`: the values that are added.
    private(set) var added: [JSONValue]?
    /// `default`: the value of a parameter that is absent.
    private(set) var defaultValue: JSONValue?
    /// `one_of`: the values of which the parameter must have one.
    private(set) var oneOf: [JSONValue]?
    /// `subset_of`: the values that the parameter may have; others are removed.
    private(set) var subsetOf: [JSONValue]?
    /// `superset_of`: the values that the parameter must have.
    private(set) var supersetOf: [JSONValue]?
    /// `essential`: whether the parameter must be present.
    private(set) var isEssential: Bool?

    /// Reads the operators; others than the standard ones are ignored, as no statement of a readable chain demands them.
    ///
    /// - Throws: ``FederationError/Code/invalidMetadataPolicy``.
    init(_ operators: JSONObject, isScope: Bool) throws(FederationError) {
        value = operators["value"].map { isScope ? $0.scopeValues : $0 }
        added = try Self.values("add", of: operators)
        defaultValue = operators["default"].map { isScope ? $0.scopeValues : $0 }
        oneOf = try Self.values("one_of", of: operators)
        subsetOf = try Self.values("subset_of", of: operators)
        supersetOf = try Self.values("superset_of", of: operators)
        if let essential = operators["essential"] {
            guard let flag = essential.boolValue else { throw Self.invalid("essential", "it must be true or false") }
            isEssential = flag
        }
        if defaultValue?.isNull == true { throw Self.invalid("default", "it must not be null") }
        try requirePermittedCombination()
    }

    /// The values of an operator, each once: texts, numbers or objects.
    private static func values(_ name: String, of operators: JSONObject) throws(FederationError) -> [JSONValue]? {
        guard let value = operators[name] else { return nil }
        guard let elements = value.arrayValue else { throw invalid(name, "it must be an array") }
        guard elements.allSatisfy(\.isComparable) else {
            throw invalid(name, "it must hold texts, numbers or objects")
        }
        return elements.distinct
    }

    static func invalid(_ name: String, _ message: String) -> FederationError {
        FederationError(.invalidMetadataPolicy, message, path: [name])
    }
}

extension ParameterPolicy {
    /// Takes the operators of a subordinate in, each of which can only restrict (section 6.1.4.1).
    ///
    /// - Throws: ``FederationError/Code/invalidMetadataPolicy`` for values that cannot be merged, and for operators that
    ///   exclude each other.
    mutating func merge(_ subordinate: ParameterPolicy) throws(FederationError) {
        value = try Self.equal(value, subordinate.value, "value")
        added = Self.combined(added, subordinate.added) { $0.union($1) }
        defaultValue = try Self.equal(defaultValue, subordinate.defaultValue, "default")
        oneOf = Self.combined(oneOf, subordinate.oneOf) { $0.intersection($1) }
        if oneOf?.isEmpty == true { throw Self.invalid("one_of", "no value is left") }
        subsetOf = Self.combined(subsetOf, subordinate.subsetOf) { $0.intersection($1) }
        supersetOf = Self.combined(supersetOf, subordinate.supersetOf) { $0.union($1) }
        isEssential = Self.combined(isEssential, subordinate.isEssential) { $0 || $1 }
        try requirePermittedCombination()
    }

    private static func combined<Value>(
        _ superior: Value?,
        _ subordinate: Value?,
        _ combine: (Value, Value) -> Value
    ) -> Value? {
        guard let superior, let subordinate else { return superior ?? subordinate }
        return combine(superior, subordinate)
    }

    private static func equal(
        _ superior: JSONValue?,
        _ subordinate: JSONValue?,
        _ name: String
    ) throws(FederationError) -> JSONValue? {
        guard let superior, let subordinate else { return superior ?? subordinate }
        guard superior == subordinate else { throw invalid(name, "superior and subordinate demand different values") }
        return superior
    }

    /// Refuses operators that exclude each other, alone or by their values.
    private func requirePermittedCombination() throws(FederationError) {
        if let value { try requireFit(of: value) }
        if oneOf != nil {
            for (name, other) in [("add", added), ("subset_of", subsetOf), ("superset_of", supersetOf)]
            where other != nil {
                throw Self.invalid("one_of", "it cannot be combined with \(name)")
            }
        }
        if let added, let subsetOf, !subsetOf.isSuperset(of: added) {
            throw Self.invalid("add", "subset_of does not have all of its values")
        }
        if let supersetOf, let subsetOf, !subsetOf.isSuperset(of: supersetOf) {
            throw Self.invalid("superset_of", "subset_of does not have all of its values")
        }
    }

    /// Refuses a `value` that another operator would change or refuse.
    private func requireFit(of value: JSONValue) throws(FederationError) {
        func conflict(_ name: String) -> FederationError { Self.invalid("value", "it conflicts with \(name)") }
        if value.isNull {
            if isEssential == true { throw conflict("essential") }
            if defaultValue != nil { throw conflict("default") }
        }
        if let added, value.arrayValue?.isSuperset(of: added) != true { throw conflict("add") }
        if let oneOf, !oneOf.contains(value) { throw conflict("one_of") }
        if let subsetOf {
            guard let values = value.arrayValue, subsetOf.isSuperset(of: values) else { throw conflict("subset_of") }
        }
        if let supersetOf, value.arrayValue?.isSuperset(of: supersetOf) != true { throw conflict("superset_of") }
    }
}

extension ParameterPolicy {
    /// The value of the parameter under the policy; nil for none.
    ///
    /// - Parameter parameter: The value that the entity has; nil for none.
    /// - Throws: ``FederationError/Code/metadataPolicyViolation``.
    func applied(to parameter: JSONValue?) throws(FederationError) -> JSONValue? {
        var result = parameter
        if let value { result = value.isNull ? JSONValue?.none : value }
        if let added { result = .array(try Self.values(of: result ?? [], "add").union(added)) }
        result = result ?? defaultValue
        guard let present = result else {
            if isEssential == true { throw Self.violation("essential", "the parameter is missing") }
            return nil
        }
        return try checked(present)
    }

    private func checked(_ present: JSONValue) throws(FederationError) -> JSONValue {
        var result = present
        if let oneOf {
            guard present.isComparable else { throw Self.violation("one_of", "the value is of no type to compare") }
            guard oneOf.contains(present) else {
                throw Self.violation("one_of", "the value is not among those allowed")
            }
        }
        if let subsetOf { result = .array(try Self.values(of: result, "subset_of").intersection(subsetOf)) }
        if let supersetOf {
            guard try Self.values(of: result, "superset_of").isSuperset(of: supersetOf) else {
                throw Self.violation("superset_of", "a value is missing")
            }
        }
        return result
    }

    private static func values(of value: JSONValue, _ name: String) throws(FederationError) -> [JSONValue] {
        guard let values = value.arrayValue, values.allSatisfy(\.isComparable) else {
            throw violation(name, "the parameter is no array of texts, numbers or objects")
        }
        return values
    }

    private static func violation(_ name: String, _ message: String) -> FederationError {
        FederationError(.metadataPolicyViolation, message, path: [name])
    }
}
