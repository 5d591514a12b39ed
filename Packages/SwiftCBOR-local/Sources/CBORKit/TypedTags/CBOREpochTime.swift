/// A time in seconds since 1970-01-01T00:00Z, as tag 1 has it (RFC 8949 section 3.4.2).
public enum CBOREpochTime: Hashable, Sendable {
    /// Whole seconds, written as an integer.
    case seconds(Int64)
    /// Seconds with a fraction, written as a floating-point number; finite in what is read.
    case fractionalSeconds(Double)

    /// The seconds, rounded to double precision where they are beyond 2^53.
    public var secondsSinceEpoch: Double {
        switch self {
        case .seconds(let seconds): Double(seconds)
        case .fractionalSeconds(let seconds): seconds
        }
    }

    /// The tagged item.
    public var cbor: CBOR {
        switch self {
        case .seconds(let seconds): .tagged(CBORTag.epochTime, .integer(seconds))
        case .fractionalSeconds(let seconds): .tagged(CBORTag.epochTime, .double(seconds))
        }
    }
}

extension CBOREpochTime {
    /// Reads the number of seconds, an integer or a finite floating-point number.
    init(content: CBORView) throws(CBORError) {
        guard content.kind == .float else {
            self = .seconds(try content.integer())
            return
        }
        let seconds = try content.double()
        guard seconds.isFinite else { throw .outOfRange("a time", at: content) }
        self = .fractionalSeconds(seconds)
    }
}
