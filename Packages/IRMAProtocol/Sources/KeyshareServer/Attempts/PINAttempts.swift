/// The rule for wrong PINs: three attempts, then one each time that a block is over, whose length doubles.
enum PINAttempts {
    /// The number of attempts before the first block.
    static let free: Int64 = 3
    /// The length of the first block in seconds.
    static let firstBlock: Int64 = 60
    /// The largest number of doublings: a block of two thousand years.
    private static let maximumDoublings: Int64 = 30

    /// The answer to a request for an attempt.
    enum Reservation: Hashable, Sendable {
        /// No attempt until some seconds have passed.
        case blocked(seconds: Int64)
        /// One attempt, which counts as wrong until the PIN proves right; if it is wrong, so many are left, or if none is
        /// left, the account is blocked for so many seconds.
        case allowed(remaining: Int64, block: Int64)
    }

    /// Counts an attempt, before the PIN is looked at: parallel guesses gain nothing.
    static func reserve(on account: inout KeyshareAccount, at now: Int64) -> Reservation {
        guard account.pinBlockDate <= now else {
            return .blocked(seconds: account.pinBlockDate.subtractingReportingOverflow(now).partialValue)
        }
        let earlier = min(max(account.pinCounter, 0), Int64(Int32.max) - 1)
        account.pinCounter = earlier + 1
        let remaining = max(free - account.pinCounter, 0)
        var block: Int64 = 0
        if remaining == 0 {
            let doublings = min(account.pinCounter - free, maximumDoublings)
            block = firstBlock << doublings
        }
        let (end, isTooLate) = now.addingReportingOverflow(block)
        account.pinBlockDate = isTooLate ? .max : end
        return .allowed(remaining: remaining, block: block)
    }

    /// Takes an attempt back whose PIN was not looked at, and ends the block that it began.
    static func takeBack(_ block: Int64, of account: inout KeyshareAccount, reservedAt time: Int64) {
        account.pinCounter = max(account.pinCounter, 1) - 1
        // Another attempt may have begun a block since.
        let (end, isTooLate) = time.addingReportingOverflow(block)
        if account.pinBlockDate == (isTooLate ? .max : end) { account.pinBlockDate = time }
    }

    /// Forgets all attempts, after a right PIN.
    static func reset(_ account: inout KeyshareAccount) {
        account.pinCounter = 0
        account.pinBlockDate = 0
    }
}
