#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The time for which something is verified, with the tolerated difference between two clocks.
public struct VerificationTime: Hashable, Sendable {
    /// The difference between two clocks that verifiers tolerate by default: one minute.
    public static let defaultClockSkew: TimeInterval = 60

    /// The time.
    public let now: Date
    /// The largest tolerated difference between the clocks of issuer and verifier, in seconds; 0 or more.
    public let clockSkew: TimeInterval

    /// Sets the time; a negative skew counts as 0.
    public init(_ now: Date, clockSkew: TimeInterval = defaultClockSkew) {
        self.now = now
        self.clockSkew = max(0, clockSkew)
    }

    /// Refuses an object after its time; the moment of expiration itself is too late.
    ///
    /// - Parameters:
    ///   - expiration: The time from which the object is no longer valid.
    ///   - name: The name of the claim, for the path of the fault.
    public func requireNotExpired(at expiration: Date, named name: String = "exp") throws(CheckFault) {
        guard now.timeIntervalSince(expiration) < clockSkew else {
            throw .failed(.expired, "it expired at \(Self.text(expiration)), and it is \(Self.text(now))", path: [name])
        }
    }

    /// Refuses an object before its time.
    ///
    /// - Parameters:
    ///   - start: The time from which the object is valid.
    ///   - name: The name of the claim, for the path of the fault.
    public func requireBegun(at start: Date, named name: String = "nbf") throws(CheckFault) {
        guard start.timeIntervalSince(now) <= clockSkew else {
            throw .failed(
                .notYetValid,
                "it is valid from \(Self.text(start)), and it is \(Self.text(now))",
                path: [name]
            )
        }
    }

    /// Refuses an object that was issued in the future, or too long ago.
    ///
    /// - Parameters:
    ///   - issued: The time of issuance.
    ///   - maximumAge: The largest age in seconds, or nil for any.
    ///   - name: The name of the claim, for the path of the fault.
    public func requireIssued(
        at issued: Date,
        maximumAge: TimeInterval? = nil,
        named name: String = "iat"
    ) throws(CheckFault) {
        guard issued.timeIntervalSince(now) <= clockSkew else {
            throw .failed(
                .issuedInFuture,
                "it was issued at \(Self.text(issued)), and it is \(Self.text(now))",
                path: [name]
            )
        }
        guard let maximumAge else { return }
        guard now.timeIntervalSince(issued) <= maximumAge + clockSkew else {
            throw .failed(.tooOld, "it was issued at \(Self.text(issued)), and it is \(Self.text(now))", path: [name])
        }
    }

    /// A time for messages: in RFC 3339, or outside the years 1 to 9999 the seconds since 1970.
    public static func text(_ time: Date) -> String {
        let seconds = time.timeIntervalSince1970
        guard seconds >= -62_135_596_800, seconds < 253_402_300_800 else { return "\(seconds) s since 1970" }
        return time.formatted(.iso8601)
    }
}
