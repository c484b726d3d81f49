// Makes a replica set of SET and MEMBERS and in it the user that Raseed logs in
// as. On a set that is there it only sets the role and the password anew.
const { SET, MEMBERS, MONGO_ADMIN_PASSWORD, RASEED_DB_PASSWORD } = process.env;

function login(hosts, option) {
  const password = encodeURIComponent(MONGO_ADMIN_PASSWORD);
  return connect(`mongodb://admin:${password}@${hosts}/admin?serverSelectionTimeoutMS=60000&${option}`);
}

const hosts = MEMBERS.split(",");
const first = login(hosts[0], "directConnection=true");
try {
  first.adminCommand({ replSetGetStatus: 1 });
} catch (e) {
  if (e.codeName !== "NotYetInitialized") throw e;
  const members = hosts.map((host, i) => ({ _id: i, host }));
  first.adminCommand({ replSetInitiate: { _id: SET, members } });
  print(`initiated the replica set ${SET}: ${MEMBERS}`);
}

const raseed = login(MEMBERS, `replicaSet=${SET}`).getSiblingDB("raseed"); // waits for the primary

// What Raseed does and no more: it cannot delete a row or a bill, drop a
// collection, or get around a validator. What it deletes expires or is derived.
const role = {
  privileges: [
    {
      resource: { db: "raseed", collection: "" },
      actions: ["find", "insert", "update", "listCollections", "createCollection", "collMod", "listIndexes", "createIndex", "dropIndex"],
    },
    ...["sessions", "attempts", "holds", "accounts", "counters", "periods", "plans", "concessions"].map((collection) => ({ resource: { db: "raseed", collection }, actions: ["remove"] })),
  ],
  roles: [],
};
if (raseed.getRole("ledger")) raseed.updateRole("ledger", role);
else raseed.createRole({ role: "ledger", ...role });

const user = { pwd: RASEED_DB_PASSWORD, roles: ["ledger"] };
if (raseed.getUser("raseed")) raseed.updateUser("raseed", user);
else raseed.createUser({ user: "raseed", ...user });
print("the user raseed is ready");
