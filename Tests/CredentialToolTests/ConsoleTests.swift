import Foundation
import Testing

@testable import CommandSupport

/// The process's own console, where its output cannot be written.
struct ConsoleTests {
    /// Puts a file that is open for reading alone in the place of a descriptor.
    ///
    /// One that is closed is another file's soon, such as that of a thread of the system.
    private static func makeUnwritable(_ descriptor: Int32) {
        dup2(open("/dev/null", O_RDONLY), descriptor)
    }

    /// A full disk or an unwritable descriptor is an error like any other, and no crash.
    @Test func aFailedWriteEndsTheCommand() async throws {
        let result = try #require(
            await #expect(processExitsWith: .exitCode(2), observing: [\.standardErrorContent]) {
                ConsoleTests.makeUnwritable(STDOUT_FILENO)
                Console.standard.output("verdict: verified")
            }
        )
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("error: cannot write to standard output: Bad file descriptor"), "\(text)")
    }

    @Test func aFailedComplaintDoesNot() async {
        await #expect(processExitsWith: .exitCode(7)) {
            ConsoleTests.makeUnwritable(STDERR_FILENO)
            Console.standard.error("error: nobody hears this")
            exit(7)
        }
    }
}
