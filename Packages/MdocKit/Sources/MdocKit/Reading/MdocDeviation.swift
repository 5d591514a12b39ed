public import CBORKit
import VerificationCore

/// A deviation from the standard that was met while reading, and tolerated.
public struct MdocDeviation: Hashable, Sendable, CustomStringConvertible {
    /// The tolerance that let it pass.
    public let tolerance: MdocTolerance
    /// The steps from the outermost structure to where it was met first.
    public let path: CBORPath

    package init(tolerance: MdocTolerance, path: CBORPath) {
        self.tolerance = tolerance
        self.path = path
    }

    /// The tolerance and the place, on one line.
    public var description: String {
        path.isEmpty ? tolerance.description : "\(tolerance) in \(path)"
    }
}

extension [MdocDeviation] {
    /// The same deviations with their places in a structure around them.
    package func within(_ name: String) -> [MdocDeviation] {
        map { MdocDeviation(tolerance: $0.tolerance, path: CBORPath([.key(name)]) + $0.path) }
    }
}

extension Deviation {
    /// A deviation that was met while reading.
    package init(_ deviation: MdocDeviation) {
        self.init(deviation.tolerance.description, at: deviation.path.names)
    }

    /// The place of the certificates of an issuer.
    package static let issuerChain = ["issuerSigned", "issuerAuth", "x5chain"]
}
