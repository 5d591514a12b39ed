import MdocKit

extension DeviceAuthenticationDiagnosis: CustomStringConvertible {
    /// The finding and its bytes, on several lines.
    ///
    /// If nothing fits, the bytes are those of the flows in the standards, for comparison with a wallet's.
    public var description: String {
        switch finding {
        case .fits(let attempt): "Device authentication fits \(attempt)"
        case .cannotBeChecked(let reason): "Device authentication cannot be checked: \(reason)"
        case .nothingFits:
            (["Device authentication fits none of \(attempts.count) transcripts; those without variations are:"]
                + attempts.filter(\.variations.isEmpty).map(\.description)).joined(separator: "\n")
        }
    }
}
