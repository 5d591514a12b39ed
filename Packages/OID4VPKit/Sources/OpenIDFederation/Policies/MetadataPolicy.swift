public import JSONKit
import VerificationCore

/// The demands of a federation on the metadata of its entities (OpenID Federation 1.0, section 6.1).
///
/// A policy has operators for each parameter of each type of entity. Those of a superior come first; those of its
/// subordinates can only restrict them further. Numbers are equal if they are written alike.
///
/// ```swift
/// let superior: JSONValue = ["openid_credential_verifier": ["client_name": ["essential": true]]]
/// let subordinate: JSONValue = ["openid_credential_verifier": ["client_uri": ["default": "https://shop.example"]]]
/// let demands = try MetadataPolicy(superior).merging(MetadataPolicy(subordinate))
/// let metadata = try demands.applied(to: ["openid_credential_verifier": ["client_name": "Shop"]])
/// ```
public struct MetadataPolicy: Hashable, Sendable {
    private var types: [ExactText: [ExactText: ParameterPolicy]]

    /// A policy that demands nothing.
    public init() {
        types = [:]
    }

    /// Reads the claim `metadata_policy`.
    ///
    /// Operators other than the standard ones are ignored, as they are where `metadata_policy_crit` does not name them.
    ///
    /// - Throws: ``FederationError/Code/invalidMetadataPolicy``.
    public init(_ value: JSONValue) throws(FederationError) {
        types = [:]
        for (type, parameters) in try Self.members(of: value, at: []) {
            var policies: [ExactText: ParameterPolicy] = [:]
            for (name, operators) in try Self.members(of: parameters, at: [type]) {
                let operators = try Self.members(of: operators, at: [type, name])
                policies[ExactText(name)] = try Self.located(type, name) { () throws(FederationError) in
                    try ParameterPolicy(operators, isScope: Self.isScope(ExactText(name)))
                }
            }
            types[ExactText(type)] = policies
        }
    }

    /// The policy of a superior with that of its subordinate (section 6.1.4.1).
    ///
    /// - Throws: ``FederationError/Code/invalidMetadataPolicy`` for policies that contradict each other.
    public func merging(_ subordinate: MetadataPolicy) throws(FederationError) -> MetadataPolicy {
        var merged = self
        for (type, policies) in subordinate.types.sorted(by: { $0.key < $1.key }) {
            for (name, policy) in policies.sorted(by: { $0.key < $1.key }) {
                guard var own = merged.types[type]?[name] else {
                    merged.types[type, default: [:]][name] = policy
                    continue
                }
                try Self.located(type.text, name.text) { () throws(FederationError) in try own.merge(policy) }
                merged.types[type]?[name] = own
            }
        }
        return merged
    }

    /// The metadata of an entity under the policy (section 6.1.4.2).
    ///
    /// - Parameter metadata: The metadata by the types of the entity; the policy adds no type.
    /// - Throws: ``FederationError/Code/metadataPolicyViolation`` for metadata that the policy refuses.
    public func applied(to metadata: JSONObject) throws(FederationError) -> JSONObject {
        var result = metadata
        for (type, policies) in types.sorted(by: { $0.key < $1.key }) {
            guard var parameters = metadata[type.text]?.objectValue else { continue }
            for (name, policy) in policies.sorted(by: { $0.key < $1.key }) {
                let isScope = Self.isScope(name)
                let parameter = parameters[name.text].map { isScope ? $0.scopeValues : $0 }
                let value = try Self.located(type.text, name.text) { () throws(FederationError) in
                    try policy.applied(to: parameter)
                }
                parameters[name.text] = isScope ? value?.scopeText : value
            }
            result[type.text] = .object(parameters)
        }
        return result
    }

    /// Returns `true` for the parameter whose values stand in one text (section 6.1.3.1.8).
    private static func isScope(_ name: ExactText) -> Bool { name == "scope" }

    private static func members(of value: JSONValue, at path: [String]) throws(FederationError) -> JSONObject {
        guard let members = value.objectValue else {
            throw FederationError(.invalidMetadataPolicy, "it must be an object", path: path)
        }
        return members
    }

    private static func located<Value>(
        _ type: String,
        _ name: String,
        _ body: () throws(FederationError) -> Value
    ) throws(FederationError) -> Value {
        do throws(FederationError) {
            return try body()
        } catch {
            throw error.inside(name).inside(type)
        }
    }
}
