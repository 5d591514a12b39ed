public import JSONKit

/// A presentation definition (Presentation Exchange 2, section 5), as drafts of OpenID4VP before 26 have it.
///
/// ```swift
/// let definition = try PresentationDefinition(json: parameter)
/// let result = definition.evaluate(over: credentials, at: now)
/// ```
public struct PresentationDefinition: Sendable {
    /// The name, which the submission repeats.
    public let id: String
    /// The name for the user.
    public let name: String?
    /// The purpose for the user.
    public let purpose: String?
    /// The formats of descriptors that name none; empty for any.
    public let formats: [FormatRequirement]
    /// The descriptors.
    public let descriptors: [InputDescriptor]
    /// The requirements on groups of descriptors; empty if every descriptor must be satisfied.
    public let requirements: [SubmissionRequirement]
    /// The definition as received.
    public let json: JSONValue

    let limits: PresentationDefinitionLimits

    init(
        id: String,
        name: String?,
        purpose: String?,
        formats: [FormatRequirement],
        descriptors: [InputDescriptor],
        requirements: [SubmissionRequirement],
        json: JSONValue,
        limits: PresentationDefinitionLimits
    ) {
        self.id = id
        self.name = name
        self.purpose = purpose
        self.formats = formats
        self.descriptors = descriptors
        self.requirements = requirements
        self.json = json
        self.limits = limits
    }

    /// The formats that count for a descriptor; empty for any.
    func formats(of descriptor: InputDescriptor) -> [FormatRequirement] {
        descriptor.formats.isEmpty ? formats : descriptor.formats
    }

    /// The lists that the holder's signature of a presentation must be on, one for the credential and one for its envelope.
    package func holderAlgorithms(of format: CredentialFormat, for descriptor: QueryID) -> [[ExactText]] {
        guard let descriptor = descriptors.first(where: { $0.id == descriptor }) else { return [] }
        let accepted = formats(of: descriptor).filter { $0.format.credential == format.credential }
        return [accepted.filter { !$0.format.isEnvelope }, accepted.filter(\.format.isEnvelope)].compactMap { entries in
            let lists = entries.compactMap(\.holderAlgorithms)
            return lists.isEmpty || lists.count < entries.count ? nil : lists.flatMap { $0 }
        }
    }
}

/// A format that a definition accepts, and the algorithms for it.
public struct FormatRequirement: Hashable, Sendable {
    /// The format.
    public let format: CredentialFormat
    /// The algorithms or proof types of which the issuer must have used one; nil for any.
    public let algorithms: [ExactText]?
    /// The algorithms or proof types of which the holder must use one: those of an envelope, or of key binding; nil for any.
    public let holderAlgorithms: [ExactText]?

    /// Describes a format.
    public init(
        format: CredentialFormat,
        algorithms: [ExactText]? = nil,
        holderAlgorithms: [ExactText]? = nil
    ) {
        self.format = format
        self.algorithms = algorithms
        self.holderAlgorithms = holderAlgorithms
    }
}

/// A query for one credential (section 5.1).
public struct InputDescriptor: Sendable {
    /// The demand to disclose nothing but the fields.
    public enum LimitDisclosure: String, Hashable, Sendable {
        /// The credential must be able to.
        case required
        /// The credential should, if it is able to.
        case preferred
    }

    /// The name.
    public let id: QueryID
    /// The name for the user.
    public let name: String?
    /// The purpose for the user.
    public let purpose: String?
    /// The formats; empty for those of the definition.
    public let formats: [FormatRequirement]
    /// The groups that the descriptor belongs to.
    public let groups: [ExactText]
    /// The demand to disclose nothing but the fields; nil for none.
    public let limitDisclosure: LimitDisclosure?
    /// The fields; all of them must be present, except optional ones.
    public let fields: [DescriptorField]
}

/// A demand on a claim (section 5.1, `fields`).
public struct DescriptorField: Sendable {
    /// The name.
    public let id: String?
    /// The name for the user.
    public let name: String?
    /// The purpose for the user.
    public let purpose: String?
    /// The places of the claim, of which the first counts that has a fitting value.
    public let paths: [JSONPathQuery]
    /// The demand on the value; nil for any value.
    public let filter: JSONSchema?
    /// Indicates that the credential may lack the claim.
    public let isOptional: Bool
    /// The verifier's intent to keep the claim (ISO/IEC 18013-7); nil if it says nothing.
    public let intentToRetain: Bool?
}

/// A demand on the descriptors of a group (section 6).
public struct SubmissionRequirement: Sendable {
    /// The descriptors or requirements that are demanded.
    public enum Source: Sendable {
        /// The descriptors of a group.
        case group(ExactText)
        /// Other requirements.
        case nested([SubmissionRequirement])
    }

    /// The name for the user.
    public let name: String?
    /// The purpose for the user.
    public let purpose: String?
    /// The least and the largest number to satisfy; nil for all.
    public let count: ClosedRange<Int>?
    /// The descriptors or requirements to satisfy.
    public let source: Source
}
