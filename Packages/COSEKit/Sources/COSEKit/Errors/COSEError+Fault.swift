import VerificationCore

extension COSEError {
    /// The failure of a check by this error.
    ///
    /// The code is the reason, in the word of all formats where they have one.
    var fault: CheckFault { .failed(Reason(code.description), message, path: path) }
}

/// Runs a part of a check whose error is the check's failure.
func checking<Value>(_ body: () throws(COSEError) -> Value) throws(CheckFault) -> Value {
    do throws(COSEError) {
        return try body()
    } catch {
        throw error.fault
    }
}
