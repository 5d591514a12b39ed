import VerificationCore

extension JOSEError {
    /// The failure of a check by this error.
    ///
    /// The code is the reason, in the word of all formats where they have one.
    var fault: CheckFault { .failed(Reason(code), message, path: path) }
}

extension Reason {
    fileprivate init(_ code: JOSEError.Code) {
        self =
            switch code {
            case .noKey: .issuerKeyNotFound
            case .wrongType: .unexpectedType
            case .untrustedCertificates: .issuerNotTrusted
            default: Reason(code.description)
            }
    }
}

/// Runs a part of a check whose error is the check's failure.
func checking<Value>(_ body: () throws(JOSEError) -> Value) throws(CheckFault) -> Value {
    do throws(JOSEError) {
        return try body()
    } catch {
        throw error.fault
    }
}
