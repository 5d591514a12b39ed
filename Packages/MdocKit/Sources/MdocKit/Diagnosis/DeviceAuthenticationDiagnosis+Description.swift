extension DeviceAuthenticationDiagnosis: CustomStringConvertible {
    /// The finding with the bytes that it is about, on several lines.
    ///
    /// Where nothing fits, the bytes are those of the flows as the standards have them, to be compared with a wallet's.
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
