import Foundation
import SQLiteFiles
import Testing

/// The files of stores in SQLite.
struct SQLiteFileTests {
    private struct Refusal: Error, Equatable {
        let message: String
    }

    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sqlite-file-\(UUID().uuidString)")
            .path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test(arguments: ["", ":memory:", "file:sessions.sqlite?mode=memory"])
    func refusesWhatIsNoPath(path: String) {
        #expect(throws: Refusal(message: "a path of a file is needed, not '\(path)'")) {
            try SQLiteFile(path: path, Refusal.init)
        }
    }

    @Test func createsTheFileForItsOwner() throws {
        try withFolder { folder in
            let file = try SQLiteFile(path: "\(folder)/sessions.sqlite", Refusal.init)
            #expect(file.name == "sessions.sqlite")
            try file.create(Refusal.init)
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func refusesAFolderThatIsNotThere() throws {
        try withFolder { folder in
            let file = try SQLiteFile(path: "\(folder)/none/sessions.sqlite", Refusal.init)
            #expect(throws: Refusal(message: "the file cannot be created: \(String(cString: strerror(ENOENT)))")) {
                try file.create(Refusal.init)
            }
        }
    }

    #if os(Linux)
    /// `F_OFD_GETLK` of `fcntl.h`, which the Swift module of the C library lacks.
    private static let askForLock: CInt = 36

    /// Returns `true` if a lock of this description would meet one on the file, also one of this process.
    private static func isLocked(_ descriptor: CInt) -> Bool {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        return fcntl(descriptor, askForLock, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    /// A process loses its locks on a file with the first of its descriptors that is closed.
    @Test func keepsTheLocksOfAFileThatIsThere() throws {
        try withFolder { folder in
            let file = try SQLiteFile(path: "\(folder)/sessions.sqlite", Refusal.init)
            try file.create(Refusal.init)
            let store = open(file.path, O_RDWR)
            let observer = open(file.path, O_RDWR)
            defer {
                close(store)
                close(observer)
            }
            var lock = flock()
            lock.l_type = Int16(F_WRLCK)
            #expect(fcntl(store, F_SETLK, &lock) == 0)
            try file.create(Refusal.init)
            #expect(Self.isLocked(observer))
            // What the stores did before: the same question then finds no lock.
            close(open(file.path, O_RDWR))
            #expect(!Self.isLocked(observer))
        }
    }
    #endif
}

struct SQLiteTimeoutTests {
    /// SQLite counts the milliseconds of a wait in 32 bits.
    @Test(
        arguments: [
            (.zero, 0), (.seconds(5), 5), (.milliseconds(1), 0.001), (.microseconds(1999), 0.001), (.seconds(-1), 0),
            (.milliseconds(2_147_483_647), 2_147_483.647), (.milliseconds(2_147_483_648), 2_147_483.647),
            (.seconds(Int64.max), 2_147_483.647), (.seconds(Int64.min), 0),
        ] as [(Duration, Double)]
    )
    func takesWhatSQLiteCanCount(_ duration: Duration, seconds: Double) {
        #expect(SQLiteTimeout.seconds(duration) == seconds)
        #expect(Int32(exactly: (SQLiteTimeout.seconds(duration) * 1000).rounded()) != nil)
    }
}
