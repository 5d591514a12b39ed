public import JSONKit

/// Tolerances and limits for reading responses.
///
/// Reading is strict: a deviation is refused unless a tolerance for it is named. A tolerated deviation is reported with its
/// place, and changes nothing that is verified.
public struct ResponseReadingOptions: Sendable {
    /// The deviations that are accepted, and reported.
    public var tolerances: Set<ResponseTolerance>
    /// The limits.
    public var limits: ResponseLimits

    /// Sets the options; strict ones unless tolerances are named.
    public init(tolerances: Set<ResponseTolerance> = [], limits: ResponseLimits = .default) {
        self.tolerances = tolerances
        self.limits = limits
    }

    /// Accepts nothing that the version does not allow.
    public static let strict = ResponseReadingOptions()

    /// Accepts the known deviations of deployed wallets.
    public static let deployed = ResponseReadingOptions(tolerances: .deployed)

    /// Reports a deviation, or refuses it if no tolerance names it.
    package func tolerate(
        _ tolerance: ResponseTolerance,
        at path: [String],
        _ deviations: inout [Deviation],
        _ code: OID4VPError.Code = .invalidParameter
    ) throws(OID4VPError) {
        guard tolerances.contains(tolerance) else { throw OID4VPError(code, tolerance.finding, path: path) }
        deviations.append(Deviation(tolerance.description, at: path, tolerance.finding))
    }
}

/// A deviation of a response from its version that wallets show.
public struct ResponseTolerance: Hashable, Sendable, CustomStringConvertible {
    /// The tolerance's name.
    public let description: String
    /// The deviation, for a developer.
    let finding: String

    private init(_ description: String, _ finding: String) {
        self.description = description
        self.finding = finding
    }

    /// Compares the names.
    public static func == (left: ResponseTolerance, right: ResponseTolerance) -> Bool {
        left.description == right.description
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// A presentation in the place of the array of presentations that answers a DCQL query (drafts 22 to 24).
    public static let singlePresentations = ResponseTolerance(
        "singlePresentations",
        "a presentation stands in the place of an array of presentations"
    )
    /// A presentation that is a text in the form of a JSON string, with quotation marks, as `vp_token` of a form.
    public static let quotedPresentation = ResponseTolerance(
        "quotedPresentation",
        "the presentation is in quotation marks"
    )
    /// The JSON text of an object or array in the place of the value, in a JWT or an object.
    public static let textForValue = ResponseTolerance("textForValue", "a JSON text stands in the place of a value")
    /// A submission that writes `$` for the only element of an array, or `$[0]` for a presentation without an array; one whose
    /// nested path repeats the path around it, or leads to the same value again.
    public static let looseSubmissionPaths = ResponseTolerance(
        "looseSubmissionPaths",
        "the path takes a presentation for an array of one or the other way round, or a nested path repeats it"
    )
    /// A submission with several entries for one descriptor, each a presentation that answers it.
    public static let repeatedDescriptors = ResponseTolerance(
        "repeatedDescriptors",
        "the descriptor is answered several times"
    )
}

extension Set<ResponseTolerance> {
    /// The known deviations of deployed wallets.
    public static let deployed: Set<ResponseTolerance> = [
        .singlePresentations, .quotedPresentation, .textForValue, .looseSubmissionPaths, .repeatedDescriptors,
    ]
}

/// Limits for responses from untrusted input; each bound is the largest accepted.
public struct ResponseLimits: Hashable, Sendable {
    /// The length of a response in bytes, as a form, as a JWT and decrypted.
    public var size: Int
    /// The depth of JSON.
    public var depth: Int
    /// The number of presentations.
    public var presentations: Int

    /// The default of each limit.
    public static let `default` = ResponseLimits()

    /// Sets the limits; omitted ones have their defaults.
    public init(size: Int = 4 << 20, depth: Int = 64, presentations: Int = 256) {
        self.size = size
        self.depth = depth
        self.presentations = presentations
    }

    /// The limits for JSON.
    public var json: JSONLimits { JSONLimits(size: size, depth: depth) }
}
